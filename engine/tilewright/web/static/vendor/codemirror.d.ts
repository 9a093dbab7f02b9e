export * from "../../../../../tools/page/editor.js";
