"""The style of a report, for screens and paper."""

from markupsafe import Markup

STYLE = Markup("""
:root { color-scheme: light dark; --ink: #24221d; --soft: #5f584a; --line: #d8d1c0; --paper: #fffdf8;
  --warm-bg: #f3eee1; --accent: #17654f; --second: #c9b27a; --warm: #9a5b00; --bad: #a52a20 }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #eceae3; --soft: #b3b8b2; --line: #38413f; --paper: #1b201f; --warm-bg: #252c2a; --accent: #58c09d;
    --second: #8a7a4d; --warm: #f0b860; --bad: #ff9c8f }
}
* { box-sizing: border-box }
html { background: var(--paper); color: var(--ink) }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 76rem;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang TC",
  "Noto Sans CJK TC", sans-serif }
h1 { font-size: 2.2rem; line-height: 1.15; margin: 0 0 .6rem; letter-spacing: -.01em }
h2 { font-size: 1.5rem; margin: 3rem 0 .75rem; padding-bottom: .35rem; border-bottom: 2px solid var(--accent) }
h3 { font-size: 1.1rem; margin: 1.5rem 0 .4rem }
p { margin: .5rem 0; max-width: 46rem } .soft, footer { color: var(--soft) } .soft, small { font-size: .875rem }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: .75rem;
  margin: 1.5rem 0 }
.figures > div { background: var(--warm-bg); border-radius: .6rem; padding: .75rem 1rem }
.figures dt { color: var(--soft); font-size: .875rem; line-height: 1.35 }
.figures dd { margin: .25rem 0 0; font-size: 1.5rem; font-weight: 600; line-height: 1.25;
  font-variant-numeric: tabular-nums }
.figures small { font-weight: 400 } .figures dd .soft { display: block; font-weight: 400 }
.figures.wide { grid-column: 1 / -1; margin: 0 }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 2rem 2.5rem;
  align-items: start; margin: 1.25rem 0 }
figure { margin: 0; max-width: 27rem } figcaption { font-weight: 600; margin-bottom: .6rem }
figure svg { display: block; width: 100%; height: auto; overflow: visible }
figure svg text { font-family: inherit; paint-order: stroke; stroke: var(--paper); stroke-width: 5px;
  stroke-linejoin: round }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .875rem; margin-top: .5rem }
.key { display: inline-block; width: .8rem; height: .8rem; margin-right: .4rem; vertical-align: -.05rem }
.key.first { background: var(--accent) } .key.second { background: var(--second) }
.key.rare_and_cheap { background: var(--warm); clip-path: polygon(0 0, 100% 0, 50% 100%) }
.key.common_and_dear { background: var(--bad); clip-path: polygon(50% 0, 100% 100%, 0 100%) }
.charts.uneven { grid-template-columns: minmax(0, 27rem) minmax(0, 1fr) }
.beside h3:first-child { margin-top: 0 } .numbered { padding-left: 1.6rem; margin: .4rem 0 }
.numbered li { margin: .25rem 0 }
.table { overflow-x: auto; margin: .75rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; min-width: min(100%, 30rem) }
th, td { text-align: right; padding: .35rem 0 .35rem 1.1rem; border-bottom: 1px solid var(--line); vertical-align: top }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
td:not(:first-child) { white-space: nowrap }
th { color: var(--soft); font-weight: 600; font-size: .875rem } summary { cursor: pointer; color: var(--accent) }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; font-size: .875rem }
@media (max-width: 60rem) { .charts.uneven { grid-template-columns: 1fr } }
@media (max-width: 40rem) { body { padding: 1.5rem 1rem 3rem } h1 { font-size: 1.7rem }
  .figures { grid-template-columns: 1fr 1fr } table { font-size: .875rem } th, td { padding-left: .6rem }
  .minor { display: none } }
@page { margin: 14mm 12mm }
@media print {
  html { background: none; print-color-adjust: exact; -webkit-print-color-adjust: exact }
  body { padding: 0; max-width: none; font-size: 10pt } h1 { font-size: 20pt }
  h2 { margin-top: 1.6rem } h2, h3, h2 + p, figcaption { break-after: avoid }
  .charts { grid-template-columns: repeat(auto-fit, minmax(56mm, 1fr)); gap: 1rem 1.5rem }
  p { orphans: 3; widows: 3; break-inside: avoid } .figures { grid-template-columns: repeat(4, 1fr) }
  .charts.uneven { display: flow-root } .uneven figure { float: right; clear: right; width: 72mm; margin: 0 0 4mm 6mm }
  .uneven .beside { margin-right: 78mm } table { min-width: 0 }
  figure, tr, .figures > div, li { break-inside: avoid } thead { display: table-header-group }
  .table { overflow: visible }
}
""")
