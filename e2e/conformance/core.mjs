// The library as the whole of a process, with the conformance kit's editor without a screen: nothing of a frontend.
import { serveExample } from "../../packages/conformance/dist/testing/example-editor.js";
import { startOurs } from "../../packages/conformance/dist/testing/our-companion.js";

serveExample(await startOurs({ folders: [process.cwd()] }));
