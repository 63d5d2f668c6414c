import { type Call, type Endpoint, idParam } from '../http/call'
import { fieldOf } from '../process/fields'
import type { Item } from '../state/item'
import { directionOf } from '../state/links'
import { combined } from '../state/people'
import { pageUrl, withAddress } from '../wire/addresses'
import { type Answer, pageAnswer } from '../wire/answer'
import { noSuchItem } from '../wire/refusal'
import { fieldValue } from '../wire/values'
import { plainText } from '../wire/words'

/** What a person sees in a browser. */
export const pageEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_workitems/edit/:id', run: itemPage },
  { method: 'GET', path: '', run: frontPage },
]

const longTexts = [
  'System.Description',
  'Microsoft.VSTS.TCM.ReproSteps',
  'Microsoft.VSTS.Common.AcceptanceCriteria',
] as const

const facts = [
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

/** Long texts are shown as text: whatever markup they hold is taken out, and the rest escaped. */
function itemPage(call: Call): Answer {
  const id = idParam(call)
  const item = call.world.item(id)
  if (!item) throw noSuchItem(id)
  const heading = `${item.fields['System.WorkItemType']} ${id}: ${item.fields['System.Title']}`
  const rows = facts.map((name) => [fieldOf(name)!.name, shown(item, name, call)] as const)
  const sections = longTexts.flatMap((name) => {
    const text = item.fields[name]
    if (typeof text !== 'string') return []
    const readable =
      item.formats[name]?.toLowerCase() === 'markdown' ? withAddress(text, call) : plainText(withAddress(text, call))
    return [`<h2>${escaped(fieldOf(name)!.name)}</h2><pre>${escaped(readable)}</pre>`]
  })
  const links = call.world.links.of(id).map(({ rel, otherId }) => {
    const title = call.world.item(otherId)?.fields['System.Title'] ?? ''
    return `<li>${directionOf(rel).name}: <a href="${escaped(pageUrl(call.base, call.world.project.name, otherId))}">${otherId}</a> ${escaped(String(title))}</li>`
  })
  return page(
    heading,
    `<h1>${escaped(heading)}</h1>
<dl>${rows
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
      .join('')}</dl>
${sections.join('\n')}
${links.length > 0 ? `<h2>Links</h2><ul>${links.join('')}</ul>` : ''}`,
  )
}

function shown(item: Item, name: string, { world }: Call): string {
  const value = fieldValue(item, name, world)
  if (value === null) return ''
  const person = fieldOf(name)!.isIdentity ? world.people.find(String(value)) : null
  return person ? combined(person) : String(value)
}

function frontPage({ world, base }: Call): Answer {
  const features = [...world.liveItems()].filter((item) => item.fields['System.WorkItemType'] === 'Feature')
  const links = features.slice(0, 50).map(({ id, fields }) => {
    const address = escaped(pageUrl(base, world.project.name, id))
    return `<li><a href="${address}">${id}</a> ${escaped(String(fields['System.Title']))}</li>`
  })
  return page(
    'Sandbox tracker',
    `<h1>Sandbox tracker</h1>
<p>A work tracker with sample work, on this machine alone. Its address for tools is <code>${escaped(base)}</code>, its project ${escaped(world.project.name)}.</p>
<ul>${links.join('')}</ul>`,
  )
}

function page(title: string, body: string): Answer {
  return pageAnswer(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;font:inherit}dt{font-weight:600;float:left;width:10rem}</style></head>
<body>
${body}
</body></html>
`)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
