import { escapeHtml } from '../../kernel/text/text'
import { type EndpointCall, findItem } from '../http/endpoint'
import { findField } from '../process/fields'
import { getDirection } from '../state/links'
import { readFieldValue, toFlatValue } from '../wire/item-json'
import { Page } from '../wire/response'
import { stripHtml } from '../wire/text'
import { buildPageUrl, insertAddress } from '../wire/urls'

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
export function getItemPage(call: EndpointCall): Page {
  const item = findItem(call)
  const { fields, formats } = item
  const heading = `${fields['System.WorkItemType']} ${item.id}: ${fields['System.Title']}`
  const facts = FACT_FIELDS.flatMap((name) => {
    const field = findField(name)!
    const value = readFieldValue(item, name, call.model)
    const text = String(field.isIdentity && value !== null ? toFlatValue(field, value, call) : (value ?? ''))
    return text === '' ? [] : `<dt>${escapeHtml(field.name)}</dt><dd>${escapeHtml(text)}</dd>`
  })
  const sections = LONG_TEXT_FIELDS.flatMap((name) => {
    const stored = fields[name]
    if (typeof stored !== 'string') return []
    const text = insertAddress(stored, call)
    const readable = formats[name]?.toLowerCase() === 'markdown' ? text : stripHtml(text)
    return `<h2>${escapeHtml(findField(name)!.name)}</h2><pre>${escapeHtml(readable)}</pre>`
  })
  const links = call.model.links
    .listEnds(item.id)
    .map(({ rel, otherId }) => `<li>${getDirection(rel).name}: ${renderLink(otherId, call)}</li>`)
  return renderPage(
    heading,
    `<h1>${escapeHtml(heading)}</h1>
<dl>${facts.join('')}</dl>
${sections.join('\n')}
${links.length > 0 ? `<h2>Links</h2><ul>${links.join('')}</ul>` : ''}`,
  )
}

export function getFrontPage(call: EndpointCall): Page {
  const { model, base } = call
  const features = [...model.listItems()].filter((item) => item.fields['System.WorkItemType'] === 'Feature')
  const links = features.slice(0, 50).map(({ id }) => `<li>${renderLink(id, call)}</li>`)
  return renderPage(
    'Sandbox tracker',
    `<h1>Sandbox tracker</h1>
<p>A work tracker with sample work, on this machine alone. Its address for tools is <code>${escapeHtml(base)}</code>, its project ${escapeHtml(model.project.name)}.</p>
<ul>${links.join('')}</ul>`,
  )
}

function renderLink(id: number, { model, base }: EndpointCall): string {
  const title = String(model.item(id)?.fields['System.Title'] ?? '')
  return `<a href="${escapeHtml(buildPageUrl(base, model.project.name, id))}">${id}</a> ${escapeHtml(title)}`
}

function renderPage(title: string, body: string): Page {
  return new Page(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;font:inherit}dt{font-weight:600;float:left;width:10rem}</style></head>
<body>
${body}
</body></html>
`)
}
