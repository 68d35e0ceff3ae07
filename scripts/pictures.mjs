import "./node-version.mjs";
import { buildBundles, buildTypes } from "./build.mjs";
import { takeEditorPictures } from "./pictures/editors.mjs";
import { takePictures } from "./pictures/page.mjs";
import { takeVscodePictures } from "./pictures/vscode.mjs";
import { setUpToRun } from "./setup.mjs";

/** Writes docs/pictures from the page and the editors as they are now. */
await setUpToRun();
await buildBundles();
await buildTypes();
await takePictures();
await takeEditorPictures();
await takeVscodePictures();
