// Says that a translation was cut off, if it was.
import { t } from "../texts";

export function CutOff({ finished }: { finished: boolean }) {
  return finished ? null : <span class="notice">{t("notice.cut")}</span>;
}
