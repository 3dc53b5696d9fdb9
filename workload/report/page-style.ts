/**
 * The style of the report. It stands inside the page: no request, and readable from a mail
 * attachment. Colours are chosen for 4.5 : 1 on both grounds.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --card: #ffffff; --ink: #1c1f23; --quiet: #5a626c; --line: #e3e4e2; --soft: #f1f2f0;
  --link: #0b5cad;
  --pass: #1d7a46; --pass-soft: #e4f3ea; --fail: #b3261e; --fail-soft: #fbe9e7;
  --invalid: #8a5a00; --invalid-soft: #fbf0d9; --error: #93258a; --error-soft: #f7e6f5;
  --na: #5a626c; --na-soft: #eceeee;
  --limit: #b3261e; --floor: #7b848e; --limit-ink: #b3261e; --floor-ink: #5a626c;
  --series-0: #1f6fb4; --series-1: #b8590b; --series-2: #2d7f5e; --series-3: #7a4fb5;
  --load: #c9dcef; --warm-up: #e9e6d8; --burst: #f3c9a0; --hold: #dfe6dc; --settle: #e6e3ee; --delete: #e3e3e3;
  --phase-ink: #24303c;
  --heat-0: #eaf2fa; --heat-1: #c9dff2; --heat-2: #9cc4e6; --heat-3: #62a0d3; --heat-4: #2f74b1; --heat-5: #154a80;
  --heat-ink-low: #14283b; --heat-ink-high: #ffffff; --heat-none: #eceeee;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --card: #1b1f23; --ink: #e6e8ea; --quiet: #a2abb5; --line: #30363d; --soft: #22272c;
    --link: #7cb8f2;
    --pass: #67c890; --pass-soft: #17301f; --fail: #f28b82; --fail-soft: #3a1d1b;
    --invalid: #e3b35a; --invalid-soft: #33280f; --error: #e08fd8; --error-soft: #351a32;
    --na: #a2abb5; --na-soft: #262b30;
    --limit: #f28b82; --floor: #8b95a0; --limit-ink: #f28b82; --floor-ink: #a2abb5;
    --series-0: #6bb0ec; --series-1: #eb9a4f; --series-2: #63c09a; --series-3: #b797ea;
    --load: #2b4763; --warm-up: #45412e; --burst: #6d4620; --hold: #2f3d33; --settle: #3a3650; --delete: #3a3f45;
    --phase-ink: #eef1f3;
    --heat-0: #1c2f42; --heat-1: #23445f; --heat-2: #2c5f87; --heat-3: #4f96cb; --heat-4: #77b2e0; --heat-5: #b9dcf7;
    --heat-ink-low: #f2f7fb; --heat-ink-high: #0d1d2c; --heat-none: #262b30;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; }
main, header, footer { max-width: 904px; margin: 0 auto; padding: 0 32px; }
a { color: var(--link); text-underline-offset: 2px; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 16px; top: 12px; background: var(--card); padding: 6px 10px; z-index: 1; }
header { padding-top: 40px; }
.kicker { color: var(--quiet); font-size: 14px; margin: 0; }
.kicker code { overflow-wrap: anywhere; }
h1 { font-size: 27px; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; margin: 6px 0 4px; text-wrap: balance; }
.question { color: var(--quiet); margin: 0 0 22px; max-width: 62ch; }
h2 { font-size: 20px; font-weight: 650; letter-spacing: -0.005em; margin: 0 0 4px; }
h3 { font-size: 16px; font-weight: 650; margin: 24px 0 4px; }
section { margin: 52px 0; scroll-margin-top: 16px; }
section > p, section > .lead { max-width: 66ch; margin: 4px 0 12px; }
.lead { color: var(--quiet); }
code { font: 0.92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.verdict { --tone: var(--na); --tone-soft: var(--na-soft); background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--tone); border-radius: 10px; padding: 22px 26px 20px; }
.verdict.pass { --tone: var(--pass); --tone-soft: var(--pass-soft); } .verdict.fail { --tone: var(--fail); --tone-soft: var(--fail-soft); }
.verdict.invalid { --tone: var(--invalid); --tone-soft: var(--invalid-soft); } .verdict.error { --tone: var(--error); --tone-soft: var(--error-soft); }
.answer { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; margin: 0; }
.answer strong { font-size: 30px; line-height: 1.2; font-weight: 680; letter-spacing: -0.015em; color: var(--tone); }
.answer span { color: var(--quiet); font-size: 15px; }
.why { margin: 6px 0 0; max-width: 64ch; font-size: 17px; }
.facts { list-style: none; margin: 18px 0 0; padding: 0; display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 210px), 1fr)); }
.facts li { background: var(--soft); border-radius: 8px; padding: 12px 14px; min-width: 0; overflow-wrap: anywhere; }
.facts .state { display: block; font-size: 13px; font-weight: 600; color: var(--quiet); }
.facts .state.good { color: var(--pass); } .facts .state.bad { color: var(--fail); } .facts .state.warn { color: var(--invalid); }
.facts .value { display: block; font-size: 21px; font-weight: 650; line-height: 1.3; letter-spacing: -0.01em; margin: 2px 0; }
.facts .text { display: block; font-size: 14px; line-height: 1.4; color: var(--quiet); }
.next { margin: 16px 0 0; padding-top: 14px; border-top: 1px solid var(--line); }
.next b { font-weight: 650; }
.caveat { margin: 8px 0 0; font-size: 14px; color: var(--quiet); }
nav { margin: 18px 0 0; font-size: 14px; } nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0; padding: 0; }
nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
figure { margin: 16px 0 0; }
figcaption { color: var(--quiet); font-size: 14px; margin-top: 8px; max-width: 72ch; }
.drawing svg { display: block; width: 100%; height: auto; overflow: visible; }
.drawing.narrow { display: none; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
svg .quiet { fill: var(--quiet); } svg .small { font-size: 10px; } svg .grid { stroke: var(--line); }
.link path { stroke-width: 1.6; stroke: var(--pass); } .link .head { fill: var(--pass); stroke: none; }
.link.warn path { stroke: var(--invalid); stroke-dasharray: 6 3; } .link.warn .head { fill: var(--invalid); }
.link.bad path { stroke: var(--fail); stroke-dasharray: 2 4; stroke-width: 2; } .link.bad .head { fill: var(--fail); }
.link.none path { stroke: var(--line); } .link.none .head { fill: var(--line); }
.node circle { fill: var(--na-soft); stroke: var(--na); stroke-width: 2; } .node-number { font-weight: 650; font-size: 13px; }
.node.pass circle { fill: var(--pass-soft); stroke: var(--pass); } .node.fail circle { fill: var(--fail-soft); stroke: var(--fail); }
.node.invalid circle { fill: var(--invalid-soft); stroke: var(--invalid); } .node.error circle { fill: var(--error-soft); stroke: var(--error); stroke-dasharray: 4 3; }
.phase rect { fill: var(--hold); } .phase.load rect { fill: var(--load); } .phase.warm-up rect { fill: var(--warm-up); } .phase.burst rect { fill: var(--burst); }
.phase.settle rect { fill: var(--settle); } .phase.delete rect { fill: var(--delete); } svg .phase-ink { fill: var(--phase-ink); }
.mark line { stroke: var(--fail); stroke-width: 2; stroke-dasharray: 3 2; }
.line { fill: none; stroke-width: 2.25; stroke-linejoin: round; }
.series-0 { stroke: var(--series-0); } .series-1 { stroke: var(--series-1); } .series-2 { stroke: var(--series-2); } .series-3 { stroke: var(--series-3); }
line.floor { stroke: var(--floor); stroke-dasharray: 4 3; } line.limit, line.ceiling { stroke: var(--limit); stroke-width: 1.5; stroke-dasharray: 5 3; }
svg .floor-ink { fill: var(--floor-ink); } svg .limit-ink { fill: var(--limit-ink); font-weight: 600; }
.bar rect { fill: var(--series-0); } .bar.weak rect { fill: var(--series-1); } .bar rect.peak { fill-opacity: 0.3; } .asked { stroke: var(--ink); stroke-width: 2; }
svg .halo { paint-order: stroke; stroke: var(--ground); stroke-width: 4px; }
.dot { fill: var(--series-0); fill-opacity: 0.65; }
.heat-0 { fill: var(--heat-0); } .heat-1 { fill: var(--heat-1); } .heat-2 { fill: var(--heat-2); } .heat-3 { fill: var(--heat-3); } .heat-4 { fill: var(--heat-4); } .heat-5 { fill: var(--heat-5); }
.heat-none { fill: var(--heat-none); } .heat-lost { fill: var(--fail-soft); stroke: var(--fail); }
svg .heat-0-ink, svg .heat-1-ink, svg .heat-2-ink { fill: var(--heat-ink-low); } svg .heat-3-ink { fill: #0d1d2c; } svg .heat-4-ink, svg .heat-5-ink { fill: var(--heat-ink-high); } svg .heat-lost-ink { fill: var(--fail); font-weight: 600; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 18px; margin: 10px 0 0; padding: 0; font-size: 14px; color: var(--quiet); }
.legend li { display: flex; align-items: center; gap: 7px; }
.legend i { width: 14px; height: 14px; border-radius: 3px; background: var(--key); border: 1px solid color-mix(in srgb, var(--ink) 18%, transparent); }
.legend i.stroke { height: 0; width: 18px; border: 0; border-top: 3px var(--dash, solid) var(--key); border-radius: 0; background: none; }
details { margin-top: 10px; font-size: 15px; } summary { cursor: pointer; color: var(--link); width: fit-content; font-size: 14px; }
.scroll { overflow-x: auto; margin-top: 8px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: right; padding: 6px 10px; border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
thead th { color: var(--quiet); font-weight: 600; } tbody th { font-weight: 500; }
th:first-child, th.text, td.text { text-align: left; } td.text, tbody th:first-child { white-space: normal; min-width: 9em; } td.text { min-width: 13em; white-space: normal; }
th:first-child { padding-left: 0; }
td svg { width: 110px; height: 16px; display: block; margin-left: auto; }
.tag { display: inline-block; border-radius: 4px; padding: 0 7px; font-size: 13px; font-weight: 600; background: var(--na-soft); color: var(--na); white-space: nowrap; }
.tag.pass, .tag.held, .tag.present { background: var(--pass-soft); color: var(--pass); } .tag.fail, .tag.broken { background: var(--fail-soft); color: var(--fail); }
.tag.invalid, .tag.not-judged, .tag.empty, .tag.missing { background: var(--invalid-soft); color: var(--invalid); } .tag.error { background: var(--error-soft); color: var(--error); }
.reasons { padding-left: 0; list-style: none; margin: 12px 0 0; } .reasons li { border-left: 3px solid var(--line); padding: 2px 0 2px 14px; margin: 12px 0; overflow-wrap: anywhere; }
.reasons .next-step { color: var(--quiet); font-size: 15px; }
.plain { margin: 10px 0 0; padding-left: 20px; } .plain li { margin: 4px 0; max-width: 68ch; overflow-wrap: anywhere; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 8px 40px; }
.files { columns: 2; font-size: 14px; padding-left: 18px; } .files li { break-inside: avoid; overflow-wrap: anywhere; }
footer { color: var(--quiet); font-size: 14px; padding-bottom: 48px; border-top: 1px solid var(--line); padding-top: 16px; }
@media (max-width: 640px) {
  main, header, footer { padding: 0 18px; } header { padding-top: 22px; }
  h1 { font-size: 22px; } .question { margin-bottom: 14px; font-size: 15px; }
  .verdict { padding: 16px 16px 14px; } .answer strong { font-size: 25px; } .why { font-size: 16px; }
  .facts { grid-template-columns: 1fr; gap: 8px; margin-top: 12px; } .facts li { padding: 9px 12px; }
  .facts .value { font-size: 18px; } .facts .text { font-size: 13.5px; }
  section { margin: 40px 0; } .two { grid-template-columns: 1fr; } .files { columns: 1; }
  .drawing.wide { display: none; } .drawing.narrow { display: block; max-width: 400px; }
}
@media print {
  :root { --ground: #fff; --card: #fff; } body { font-size: 11pt; } nav, summary, .skip { display: none; }
  section { margin: 26px 0; break-inside: auto; } figure, .verdict { break-inside: avoid; }
  main, header, footer { max-width: none; padding-left: 0; padding-right: 0; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
