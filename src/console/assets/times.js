/**
 * Shows instants relative to now, with the exact one on pointing: in the zone of the facility where `data-zone` names it, else in that of the
 * reader. Print shows the exact ones. Without this script the page shows them in UTC.
 */
const FAR_DAYS = 30
const SECONDS = { minute: 60, hour: 3600, day: 86_400 }

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exactOf = (zone) => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long', timeZone: zone })
const dateOnly = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

function describe(at) {
  const seconds = (at - Date.now()) / 1000
  const size = Math.abs(seconds)
  if (size < 45) return seconds > 0 ? 'in a moment' : 'just now'
  if (size > FAR_DAYS * SECONDS.day) return dateOnly.format(at)
  const unit = size < 45 * 60 ? 'minute' : size < 22 * 3600 ? 'hour' : 'day'
  return relative.format(Math.round(seconds / SECONDS[unit]), unit)
}

function show(element) {
  const at = Date.parse(element.dateTime)
  // A date alone is the same everywhere.
  if (Number.isNaN(at) || !element.dateTime.includes('T')) return
  element.title ||= exactOf(element.dataset.zone).format(at)
  const text = describe(at)
  if (element.textContent !== text) element.textContent = text
}

const showAll = (root) => root.querySelectorAll('time[datetime]').forEach(show)

showAll(document)
setInterval(() => showAll(document), 30_000)
// Parts of pages are replaced, and dialogs are added.
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) showAll(node.parentElement ?? node)
}).observe(document.body, { childList: true, subtree: true })

addEventListener('beforeprint', () => {
  for (const element of document.querySelectorAll('time[title]')) element.textContent = element.title
})
addEventListener('afterprint', () => showAll(document))
