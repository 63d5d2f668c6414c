import { StudioError } from '../../../kernel'

/** Parses `temperature: required number`, `seal: text for delivery`, `lane: choice of cold, dry` or `note: site text`. */
export function parseCustomField(text: string, flag: string): Record<string, unknown> {
  const match =
    /^([\w-]{1,40}):( site)?( required)? (text|number|choice of ([^:]{1,5000}?))(?: for (pickup|delivery))?$/.exec(
      text.trim(),
    )
  if (!match)
    throw new StudioError('invalid', `${flag} ${JSON.stringify(text)} has an unknown format.`, {
      hint: `Write its name, then what it takes: ${flag} "temperature: required number", ${flag} "lane: choice of cold, dry" or ${flag} "note: site text for delivery".`,
    })
  const [, name, site, required, kind, choices, type] = match
  return {
    name,
    kind: choices === undefined ? kind : 'choice',
    choices: choices === undefined ? [] : splitList(choices),
    required: required !== undefined,
    types: type === undefined ? null : [type],
    seenBy: site === undefined ? 'everyone' : 'site',
  }
}

/** Parses `cancelled: Weather, No driver` or `no_show: required: Lost, Late`. */
export function parseReasons(text: string, flag: string): Record<string, unknown> {
  const match = /^(\w{1,40}):( required:)? ([^:]{1,20000})$/.exec(text.trim())
  if (!match)
    throw new StudioError('invalid', `${flag} ${JSON.stringify(text)} has an unknown format.`, {
      hint: `Write the change, then its reasons: ${flag} "cancelled: Weather, No driver" or ${flag} "no_show: required: Lost, Late".`,
    })
  return { change: match[1], choices: splitList(match[3]!), required: match[2] !== undefined }
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
