import { formatState } from '../../../src/docks/visits/rules/appointment-steps'
import { escapeXml, renderDrawing } from './drawing'
import { type Board, dateInFull, listByStart } from './extent'

/** The drawing in an HTML page, and the same appointments as a table for screen readers. */
export function renderBoardPage(board: Board): string {
  const title = `${board.facilityCode} ${board.facilityName}, ${dateInFull(board.date)}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeXml(title)}</title>
<style>
body{margin:0;padding:1rem;background:#fff;color:#111;font-family:system-ui,"Segoe UI","DejaVu Sans",Arial,sans-serif}
svg{display:block;width:100%;height:auto;max-height:96vh}
h1{font-size:1.4rem}table{border-collapse:collapse;width:100%;font-size:1rem}caption{text-align:left;font-weight:600;padding:.5rem 0}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #c9ced6}.conflict{color:#991b1b;font-weight:600}
@page{size:landscape;margin:10mm}
@media print{body{padding:0}svg{max-height:none;break-after:page}tr{break-inside:avoid}thead{display:table-header-group}}
</style>
</head>
<body>
<main>
${renderDrawing(board)}
<h1>${escapeXml(title)}</h1>
${tableOf(board)}
<p>Times in ${escapeXml(board.timeZone)}. As of <time datetime="${board.generatedAt}">${escapeXml(asOf(board))}</time>.</p>
</main>
</body>
</html>
`
}

function tableOf(board: Board): string {
  const rows = listByStart(board)
  if (rows.length === 0) return '<p>No appointments on this date.</p>'
  const lines = rows.map(
    ({ door, appointment: row }) =>
      `<tr><td>${row.localStart}-${row.localEnd}</td><td>${escapeXml(door.name)}</td><td>${row.type}</td><td>${escapeXml(row.carrierName)}</td><td>${escapeXml(row.referenceNumber)}</td><td${row.conflict ? ' class="conflict"' : ''}>${row.conflict ? 'in conflict' : formatState(row)}</td></tr>`,
  )
  const heads = ['Time', 'Door', 'Type', 'Carrier', 'Reference', 'Status'].map((head) => `<th scope="col">${head}</th>`)
  return `<table>
<caption>Appointments by time</caption>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>`
}

function asOf(board: Board): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: board.timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(board.generatedAt))
}
