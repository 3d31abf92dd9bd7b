// What all tests of the page share: it is opened at a fragment, and must not complain or ask anybody else.
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";

export { expect };

export const kSentence = "राधा दुकान में मिठाई बेचेगी";

export class Explorer {
  readonly complaints: string[] = [];
  readonly outside: string[] = [];

  constructor(readonly page: Page) {
    page.on(
      "console",
      (message) => ["error", "warning"].includes(message.type()) && this.complaints.push(message.text()),
    );
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== "blob:" && protocol !== "data:" && !origin.startsWith("http://127.0.0.1:"))
        this.outside.push(request.url());
    });
  }

  async open(state: Record<string, string | number>): Promise<void> {
    const all = { q: kSentence, model: "rnnsearch", ui: "en", ...state };
    const parts = new URLSearchParams(Object.entries(all).map(([name, value]) => [name, String(value)]));
    await this.page.goto("about:blank");
    await this.page.goto(`/#${parts}`);
    await this.settled();
  }

  // Until nothing is on its way.
  async settled(): Promise<void> {
    await expect(this.page.locator("main :is(.view, .trouble)").first()).toBeVisible();
    await this.page.waitForLoadState("networkidle");
    await expect(this.page.locator("[aria-busy=true]")).toHaveCount(0);
  }

  // Without the rule skip-link, which takes views that are scrolled out of a phone's menu for broken skip links; the
  // real one has a test of its own.
  async expectAccessible(): Promise<void> {
    const { violations } = await new AxeBuilder({ page: this.page })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
      .disableRules(["skip-link"])
      .analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  }

  grid() {
    return this.page.getByRole("grid").first();
  }

  translation() {
    return this.page.locator(".composer .target");
  }
}

// A time in milliseconds, without what other programs of the machine add to it.
export async function leastOf(attempts: number, measured: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < attempts; ++attempt) least = Math.min(least, await measured());
  return least;
}

// `explorer` also checks, at the end of each test, that the page was content. A test that breaks the connection on
// purpose takes `troubled`.
export const test = base.extend<{ explorer: Explorer; troubled: Explorer }>({
  explorer: async ({ page }, use) => {
    const explorer = new Explorer(page);
    await use(explorer);
    expect(explorer.complaints).toEqual([]);
    expect(explorer.outside).toEqual([]);
  },
  troubled: async ({ page }, use) => {
    const explorer = new Explorer(page);
    await use(explorer);
    expect(explorer.outside).toEqual([]);
  },
});
