import { escapeHtml as escapeMarkup } from '../../../src/kernel/text/text'
import { printable } from '../../terminal/layout'

/** Untrusted text as HTML, with its control characters as symbols. */
export function escapeHtml(text: string): string {
  return escapeMarkup(printable(text))
}

/** A page that loads and runs nothing. `body` is HTML; a `wide` page is printed in landscape. */
export function renderPage(title: string, body: string, { wide = false } = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>
${STYLE}${wide ? '\n@page{size:landscape}' : ''}
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

const STYLE = `:root{color-scheme:light dark;--ink:#1a1d21;--paper:#fff;--faint:#59636e;--line:#c9ced6;--bar:#2563a8;--bad:#a01818;--good:#1b6e35}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ed;--paper:#15181c;--faint:#a3acb8;--line:#3b424b;--bar:#6ba8e5;--bad:#ff9d97;--good:#7fd39b}}
*{box-sizing:border-box}
body{margin:0;padding:1.5rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,"Segoe UI","DejaVu Sans",Arial,sans-serif}
main{max-width:72rem;margin:0 auto}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.2rem;margin:1.75rem 0 .5rem}
p,ul,ol{margin:.5rem 0;max-width:46rem}
li{overflow-wrap:anywhere}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.95rem}
caption{text-align:left;font-weight:600;padding:.5rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line);overflow-wrap:break-word}
thead th{border-bottom:2px solid var(--ink);white-space:nowrap}
.n,.share{white-space:nowrap}
.n{text-align:right;font-variant-numeric:tabular-nums}
.n .faint{white-space:normal}
tbody th{font-weight:400;min-width:15rem;overflow-wrap:anywhere;padding-left:calc(.6rem + var(--depth,0)*1.1rem)}
tbody th.root{font-weight:600}
.faint,.removed{color:var(--faint)}
.removed s{text-decoration-thickness:1px}
.held{color:var(--bad)}
.done{color:var(--good)}
.bar{display:inline-block;width:5rem;height:.65rem;border:1px solid var(--faint);margin-right:.5rem;vertical-align:middle;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.bar i{display:block;height:100%;background:var(--bar)}
figure{margin:.5rem 0}figcaption{color:var(--faint)}
.chart{display:block;width:calc(100% - 3rem);margin-left:2.75rem;overflow:visible}
.chart text{fill:var(--faint);font-size:.8rem}.chart .before,.chart .end{text-anchor:end}.chart .end{fill:var(--ink)}.chart .below{text-anchor:middle}
.chart .axis{stroke:var(--line)}.chart .line{stroke:var(--bar);stroke-width:2}.chart .scope{stroke:var(--ink);stroke-dasharray:5 3}.chart .percentile{stroke:var(--faint);stroke-dasharray:3 3}
code{font-family:ui-monospace,"DejaVu Sans Mono",Consolas,monospace;white-space:pre-wrap}
pre{overflow-x:auto;border:1px solid var(--line);padding:.5rem}
blockquote{margin:.5rem 0;padding-left:1rem;border-left:3px solid var(--line)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@page{margin:14mm}
@media print{:root{color-scheme:light;--ink:#000;--paper:#fff;--faint:#444;--line:#aaa;--bar:#444;--bad:#7a0c0c;--good:#0d4a20}
body{padding:0;font-size:10pt}main{max-width:none}.scroll{overflow:visible}
table{font-size:9pt}th,td{padding:.2rem .4rem}tbody th{min-width:11rem}.bar{width:3rem;margin-right:.3rem}
h1,h2,caption{break-after:avoid}tr,li{break-inside:avoid}thead{display:table-header-group}}`
