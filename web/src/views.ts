// The table of views. Menus, keyboard, tests and texts iterate it.
import { place } from "./state";
import type { View } from "./view";
import { AlignmentView } from "./views/alignment";
import { BeamView } from "./views/beam";
import { CompareView } from "./views/compare";
import { CoverageView } from "./views/coverage";
import { GuessView } from "./views/guess";
import { InfluenceView } from "./views/influence";
import { LearnedView } from "./views/learned";
import { LinesView } from "./views/lines";
import { LongerView } from "./views/longer";
import { MapView } from "./views/map";
import { MendView } from "./views/mend";
import { PicturesView } from "./views/pictures";
import { StepView } from "./views/step";
import { TourView } from "./views/tour";
import { WorkView } from "./views/work";

export const views: View[] = [
  {
    id: "map",
    group: "look",
    kind: "text",
    needs: "nothing",
    readsSelf: () => place.value !== "cross",
    component: MapView,
  },
  { id: "lines", group: "look", kind: "text", needs: "attention", readsSelf: () => true, component: LinesView },
  { id: "step", group: "look", kind: "text", needs: "cross", component: StepView },
  { id: "beam", group: "look", kind: "text", needs: "nothing", component: BeamView },
  { id: "compare", group: "look", kind: "text", needs: "nothing", component: CompareView },
  { id: "influence", group: "question", kind: "text", needs: "cross", component: InfluenceView },
  { id: "coverage", group: "question", kind: "text", needs: "cross", component: CoverageView },
  { id: "guess", group: "question", kind: "text", needs: "cross", component: GuessView },
  { id: "alignment", group: "question", kind: "text", needs: "cross", component: AlignmentView },
  { id: "work", group: "change", kind: "text", needs: "cross", component: WorkView },
  { id: "mend", group: "change", kind: "text", needs: "nothing", component: MendView },
  { id: "longer", group: "change", kind: "text", needs: "nothing", component: LongerView },
  { id: "learned", group: "change", kind: "text", needs: "nothing", component: LearnedView },
  { id: "pictures", group: "more", kind: "own", component: PicturesView },
  { id: "tour", group: "more", kind: "own", component: TourView },
];

export const groups = ["look", "question", "change", "more"] as const;
