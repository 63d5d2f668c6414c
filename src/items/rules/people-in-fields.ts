/** A mention as the tracker's editor writes it: the name is what the link shows. */
const MENTION = /data-vss-mention="[^"<>]{0,200}"[^<>]{0,200}>@?([^<>]{2,100})</g

/** A person as a text, in files and old fields: `Jane Doe <jane@contoso.example>`. */
const NAME_AND_ADDRESS = /^([^<>\n]{2,100}) <([^<>\s]{2,200})>$/

/** Everybody whom the fields of a work item name: assignees, authors, and those whom its texts mention. */
export function findPeopleInFields(fields: Readonly<Record<string, unknown>>): string[] {
  const people = Object.values(fields).flatMap((value) => {
    if (typeof value === 'string') return findPeopleInText(value)
    if (typeof value !== 'object' || value === null) return []
    const { displayName, uniqueName } = value as { displayName?: unknown; uniqueName?: unknown }
    return [displayName, uniqueName].filter((name): name is string => typeof name === 'string')
  })
  return [...new Set(people)]
}

function findPeopleInText(text: string): string[] {
  const [, name, address] = NAME_AND_ADDRESS.exec(text) ?? []
  if (name !== undefined && address !== undefined) return [name, address]
  return [...text.matchAll(MENTION)].map(([, shown = '']) => shown.replaceAll('&nbsp;', ' ').trim())
}
