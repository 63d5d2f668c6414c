import { escapeHtml } from '../../kernel/text'
import { type Endpoint, type EndpointCall, findItem } from '../http/endpoint'
import { getField } from '../process/fields'
import type { Item } from '../state/item'
import { getDirection } from '../state/links'
import { formatPerson } from '../state/tracker-model'
import { readFieldValue } from '../wire/item-json'
import { createPageResponse, type WireResponse } from '../wire/response'
import { stripHtml } from '../wire/text'
import { buildPageUrl, insertAddress } from '../wire/urls'

/** Pages for browsers. */
export const pageEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_workitems/edit/:id', run: getItemPage },
  { method: 'GET', path: '', run: getFrontPage },
]

const LONG_TEXT_FIELDS = [
  'System.Description',
  'Microsoft.VSTS.TCM.ReproSteps',
  'Microsoft.VSTS.Common.AcceptanceCriteria',
] as const

const FACT_FIELDS = [
  'System.State',
  'System.AssignedTo',
  'System.AreaPath',
  'System.IterationPath',
  'System.Tags',
  'Microsoft.VSTS.Scheduling.StoryPoints',
  'Microsoft.VSTS.Common.Priority',
  'Microsoft.VSTS.CMMI.Blocked',
  'System.ChangedDate',
]

/** Shows long texts as plain text: markup is removed and the rest is escaped. */
function getItemPage(call: EndpointCall): WireResponse {
  const item = findItem(call)
  const { id } = item
  const heading = `${item.fields['System.WorkItemType']} ${id}: ${item.fields['System.Title']}`
  const rows = FACT_FIELDS.map((name) => [getField(name)!.name, formatField(item, name, call)] as const)
  const sections = LONG_TEXT_FIELDS.flatMap((name) => {
    const text = item.fields[name]
    if (typeof text !== 'string') return []
    const readable =
      item.formats[name]?.toLowerCase() === 'markdown'
        ? insertAddress(text, call)
        : stripHtml(insertAddress(text, call))
    return [`<h2>${escapeHtml(getField(name)!.name)}</h2><pre>${escapeHtml(readable)}</pre>`]
  })
  const links = call.model.links.listEnds(id).map(({ rel, otherId }) => {
    const title = call.model.item(otherId)?.fields['System.Title'] ?? ''
    return `<li>${getDirection(rel).name}: <a href="${escapeHtml(buildPageUrl(call.base, call.model.project.name, otherId))}">${otherId}</a> ${escapeHtml(String(title))}</li>`
  })
  return renderPage(
    heading,
    `<h1>${escapeHtml(heading)}</h1>
<dl>${rows
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
      .join('')}</dl>
${sections.join('\n')}
${links.length > 0 ? `<h2>Links</h2><ul>${links.join('')}</ul>` : ''}`,
  )
}

function formatField(item: Item, name: string, { model }: EndpointCall): string {
  const value = readFieldValue(item, name, model)
  if (value === null) return ''
  const person = getField(name)!.isIdentity ? model.people.find(String(value)) : null
  return person ? formatPerson(person) : String(value)
}

function getFrontPage({ model, base }: EndpointCall): WireResponse {
  const features = [...model.listItems()].filter((item) => item.fields['System.WorkItemType'] === 'Feature')
  const links = features.slice(0, 50).map(({ id, fields }) => {
    const address = escapeHtml(buildPageUrl(base, model.project.name, id))
    return `<li><a href="${address}">${id}</a> ${escapeHtml(String(fields['System.Title']))}</li>`
  })
  return renderPage(
    'Sandbox tracker',
    `<h1>Sandbox tracker</h1>
<p>A work tracker with sample work, on this machine alone. Its address for tools is <code>${escapeHtml(base)}</code>, its project ${escapeHtml(model.project.name)}.</p>
<ul>${links.join('')}</ul>`,
  )
}

function renderPage(title: string, body: string): WireResponse {
  return createPageResponse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;font:inherit}dt{font-weight:600;float:left;width:10rem}</style></head>
<body>
${body}
</body></html>
`)
}
