// A view of the page, as its table lists it.
import type { ComponentType } from "preact";
import type { Example, Explanation, ModelInfo } from "./server";

export interface ViewProps {
  model: ModelInfo;
  explanation: Explanation; // of the chosen sentence, in the chosen units
  examples: Example[];
}

export type Need = "cross" | "attention" | "nothing"; // cross: target to source

interface Named {
  id: string;
  group: "look" | "question" | "change" | "more";
}

export interface TextView extends Named {
  kind: "text";
  needs: Need; // of the model
  readsSelf?: () => boolean; // whether it shows self-attention, as it is now
  component: ComponentType<ViewProps>;
}

// A view with inputs of its own, which does not need a sentence.
export interface OwnView extends Named {
  kind: "own";
  component: ComponentType;
}

export type View = TextView | OwnView;
