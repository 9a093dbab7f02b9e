// Makes what others wrote of engine/tilewright/web/static/vendor, or of the folder named: files copied from their packages,
// and codemirror.js, with the licences of what is in them.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const vendor = process.argv[2] ?? join(here, "../../engine/tilewright/web/static/vendor");
const packages = join(here, "node_modules");

copy("preact/dist/preact.mjs", "preact.js");
copy("preact/hooks/dist/hooks.mjs", "hooks.js");
copy("htm/dist/htm.module.js", "htm.js");
copyFileSync(join(packages, "preact/LICENSE"), join(vendor, "preact.LICENSE"));
copyFileSync(join(packages, "htm/LICENSE"), join(vendor, "htm.LICENSE"));

// Without the name of a source map, and importing what lies beside it.
function copy(path, name) {
  const text = readFileSync(join(packages, path), "utf8");
  writeFileSync(
    join(vendor, name),
    text.replace('from"preact"', 'from"./preact.js"').replace(/^\/\/# sourceMappingURL=.*\n?/m, ""),
  );
}

// Pages of ours take no styles but from their own files and from their own scripts, so the editor's are adopted.
const WHERE = "!root.head && root.adoptedStyleSheets";
const adopted = {
  name: "adopted",
  setup(bundler) {
    bundler.onLoad({ filter: /style-mod\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!text.includes(WHERE)) throw new Error(`${path} is not what it was`);
      return { contents: text.replace(WHERE, "root.adoptedStyleSheets") };
    });
  },
};

const result = await build({
  absWorkingDir: here,
  entryPoints: ["editor.js"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2020",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  plugins: [adopted],
  outfile: join(vendor, "codemirror.js"),
});

const inside = new Set(
  Object.keys(result.metafile.inputs)
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
    .filter(Boolean),
);
const licences = [...inside].sort().map((name) => {
  const folder = join(packages, name);
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(join(vendor, "codemirror.LICENSE.txt"), licences.join(`\n${"-".repeat(78)}\n\n`));
