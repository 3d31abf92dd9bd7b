import { render } from "preact";
import { App } from "./app";
import { followAddress } from "./state";

followAddress();
render(<App />, document.getElementById("page")!);
