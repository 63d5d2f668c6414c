import { parse } from 'parse5'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { loadOperation } from '../../src/catalog'
import type { AnyOperation } from '../../src/kernel'
import { startStubModel } from '../assistant/stub-model'
import { servedConsole } from './console-fixtures'
import { fillConsole } from './filled-console'

/** The operations behind the forms that search or filter, by the page. */
const SEARCHES: Record<string, string> = {
  '': 'search.fast',
  '/work': 'search.fast',
  '/work/items/204/copy': 'drafts.copy-sanitize',
  '/drafts': 'drafts.list',
  '/reports/briefing': 'reports.briefing',
  '/reports/forecast': 'reports.forecast',
  '/docks/DC1': 'facilities.board',
  '/docks/DC1/availability': 'facilities.availability',
  '/docks/DC1/appointments': 'appointments.list',
  '/appointments': 'appointments.find',
  '/docks/DC1/report': 'facilities.report',
  '/settings/audit': 'audit.list',
}

/** The same for those that look in the tracker for what can be imported, by what they find. */
const PICKERS: Record<string, string> = { features: 'features.list', items: 'items.search' }

/** The console deletes, unblocks and copies at once, after a question; and confirms a change with what was shown, which adds `planId`. */
const PLAN = ['dryRun', 'planId']

/** What each operation takes and no page of it offers, on purpose. */
const NOT_SHOWN: Record<string, string[]> = {
  // A plan shows the conflicts, each with its own inputs. What a draft has not is set in its item.
  'items.publish-draft': ['asNew', 'fields', 'planId', 'prefer', 'resolved', 'to', 'tracker', 'updates'],
  // The facility, the item or the draft is that of the page.
  'facilities.availability': [
    ...['carrierName', 'equipmentHeight', 'id', 'makeRoom', 'palletCount', 'pieceCount', 'requirements'],
  ],
  'facilities.board': ['id'],
  'drafts.list': ['folderId', 'sourceItemId'],
  'search.fast': ['limit', 'type'],
  'reports.briefing': ['explain', 'featureIds', 'mode', 'model', 'tracker'],
  // The page explains itself; a feature is that of its link, and a record comes from a file.
  'reports.forecast': ['asOf', 'backtest', 'explain', 'featureIds', 'filter', 'record', 'seed', 'tracker'],
  // The form names the facility by its ID; a booking has one start, or the first free one. This facility makes no room.
  'appointments.book': [
    ...['dryRun', 'durationMinutes', 'facilityCode', 'makeRoom', 'notAfter', 'notBefore', 'planId', 'trailerId'],
  ],
  // The service finds the sequence when it compares what the form was drawn with.
  'appointments.reschedule': ['durationMinutes', 'ifSequence', 'notAfter', 'notBefore', 'slotId'],
  'appointments.update': ['ifSequence', 'referenceNumber', 'trailerId', 'type'],
  // The name is that of the chosen file.
  'attachments.add': ['name'],
  'items.attach': ['dryRun', 'name', 'planId'],
  'appointments.clear': ['facilityCode', 'planId'],
  'appointments.find': ['updatedSince'],
  'appointments.list': ['facilityCode', 'facilityId', 'updatedSince'],
  'facilities.report': ['id'],
  'holds.confirm': ['trailerId'],
  'holds.create': ['facilityCode', 'slotId'],
  'series.create': ['facilityCode'],
  'series.materialize': ['facilityCode'],
  'waitlist.add': ['durationMinutes', 'facilityCode'],
  'yard.import': ['facilityId', 'planId'],
  'carriers.admit': PLAN,
  'carriers.exclude': PLAN,
  'appointments.import': ['again', 'facilityId', 'planId'],
  'appointments.pin': ['ifSequence'],
  'yard.arrive': ['facilityCode'],
  'yard.move': ['facilityCode', 'facilityId'],
  'yard.update': ['facilityCode', 'facilityId'],
  'yard.leave': ['facilityCode', 'facilityId'],
  'yard.undo': ['facilityCode', 'facilityId'],
  // Who has a wrong name is removed and added.
  'staff.update': ['name'],
  // A truck that is much too early is checked in first.
  'appointments.step': ['at', 'early'],
  'appointments.undo-step': ['note'],
  'doors.add': ['dryRun', 'facilityCode', 'planId'],
  'doors.remove': ['facilityCode', 'planId'],
  'doors.update': ['facilityCode', 'planId'],
  'facilities.block': ['planId'],
  'facilities.close': ['planId'],
  'facilities.reopen': PLAN,
  'facilities.unblock': PLAN,
  // A facility begins with the defaults. Lists of lengths and carriers are for the command line and the API.
  'facilities.create': [
    ...[
      'advanceToNextOpenDay',
      'blockedTimes',
      'breaks',
      'bufferMinutes',
      'capacity',
      'carriers',
      'closures',
      'customFields',
    ],
    ...[
      'defaultMinutes',
      'graceMinutes',
      'leadMinutes',
      'lengths',
      'limits',
      'makeRoom',
      'maxMinutes',
      'minMinutes',
      'moveAnnounced',
      'reasons',
      'reminderHours',
      'slotMinutes',
      'trailerFreeHours',
      'truckFreeMinutes',
    ],
  ],
  // Closed dates, blocked hours and doors have forms of their own.
  'facilities.update': [
    ...['archivedAt', 'blockedTimes', 'carriers', 'closures', 'doors', 'lengths', 'planId', 'revision'],
  ],
  // The fields of the item that have a value are choices, if there are some.
  'drafts.copy-sanitize': ['cached', 'dryRun'],
  'drafts.delete': PLAN,
  // The suggestion of the model is shown before a form saves it.
  'drafts.refine': ['apply', 'model', 'variables'],
  // Files are beside a draft on the machine that it is saved from.
  // Fields of the tracker have any names: the page of a draft shows those that it has.
  'drafts.save': ['areaPath', 'assignedTo', 'fields', 'files', 'iterationPath'],
  // The page of an item reads its files when somebody looks at them.
  'features.import': ['attachments'],
  'features.import-many': ['attachments'],
  'folders.delete': PLAN,
  'views.delete': PLAN,
  'views.save': ['filter'],
  'items.get': ['cached', 'raw'],
  'items.sync': ['attachments', 'itemIds'],
  // The page shows what the plan is before it names it, and one tracker has no name.
  'features.list': ['count', 'tracker'],
  'items.search': ['limit', 'tracker'],
  'items.batch-update': ['files', 'planId', 'seenRev'],
  'items.link': ['planId'],
  // The item has these two links as far as they are known.
  'items.unlink': [...PLAN, 'predecessorIds', 'relatedIds'],
  'items.create': ['dryRun', 'fields', 'files', 'planId', 'tracker'],
  'items.comment': ['dryRun', 'files', 'planId'],
  'items.edit-comment': PLAN,
  'items.delete-comment': PLAN,
  'items.assign': PLAN,
  'items.delete': PLAN,
  'items.add-web-link': PLAN,
  'items.remove-web-link': PLAN,
  // Each required field of a step has an input of its own.
  'items.move': ['dryRun', 'fields', 'planId', 'updates'],
  // The query is the one that was run.
  'queries.import': ['limit', 'text', 'tracker'],
  // Many are chosen. The button of the form checks a file.
  'items.import-single': ['attachments', 'id'],
  'items.import-file': ['dryRun', 'modifiedAt', 'planId'],
  'filters.delete': PLAN,
  // The service chooses the file of a backup, and repairs nothing from afar.
  'storage.backup': ['file', 'force'],
  // The page has a link to older entries, and the tracker of a form is that of its section.
  'audit.list': ['since', 'until'],
  'items.metadata': ['field', 'tracker', 'type'],
  'system.doctor': ['offline', 'quick', 'repair'],
  'llm.chat': ['itemId', 'model', 'storyId', 'systemPrompt'],
  'tenants.create-key': ['scope'],
  // The previous secret is good for another day.
  'webhooks.rotate-secret': ['overlapHours'],
  // The role says it.
  'tokens.create': ['scopes'],
}

interface Form {
  page: string
  op: AnyOperation
  node: any
}

const attribute = (node: any, name: string): string | undefined =>
  node.attrs?.find((entry: any) => entry.name === name)?.value
const all = (node: any): any[] => (node.childNodes ?? []).flatMap((child: any) => [child, ...all(child)])
const named = (node: any, ...tags: string[]) => all(node).filter(({ tagName }) => tags.includes(tagName))
const textOf = (node: any): string =>
  all(node)
    .map(({ value, parentNode }) => (value && !['option', 'textarea'].includes(parentNode.tagName) ? value : ''))
    .join('')
    .trim()
const without = (name: string) =>
  name
    .split('[')[0]!
    .split('.')
    .filter((key) => !/^\d+$/.test(key))

const inputSchemas = new Map<z.ZodType, any>()

function inputSchemaOf(input: z.ZodType): any {
  if (!inputSchemas.has(input)) inputSchemas.set(input, z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))
  return inputSchemas.get(input)
}

/** The schema of a field as JSON, without null, and what help says of a field that has no description of its own. */
function schemaOf({ input, cli }: AnyOperation, name: string) {
  const present = (schema: any) => schema?.anyOf?.find(({ type }: any) => type !== 'null') ?? schema
  const root = inputSchemaOf(input)
  let [holder, given]: any[] = [null, root]
  for (const key of without(name)) {
    const shape = present(given)
    holder = present(shape.items ?? shape)
    given =
      holder?.properties?.[key] ??
      (typeof holder?.additionalProperties === 'object'
        ? { ...holder.additionalProperties, description: '' }
        : undefined)
  }
  if (given === undefined) return null
  const value = present(given)
  const flag = cli?.extraFlags?.find((extra) =>
    extra.flag.startsWith(
      `--${without(name)
        .at(-1)!
        .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} `,
    ),
  )
  const own = given.description ?? value.description
  const description: string = own ?? (without(name).length > 1 ? flag?.about : null) ?? ''
  const isRequired = holder === root && (root.required ?? []).includes(without(name)[0])
  return { value, entry: present(value.items ?? value), description: description.replace('null', 'empty'), isRequired }
}

/** What the inputs of a form say that their operation does not. */
function faultsOf({ page, op, node }: Form): string[] {
  const ids = new Map(all(node).map((each) => [attribute(each, 'id'), each]))
  const controls = named(node, 'input', 'select', 'textarea').filter(
    (each) => !['hidden', 'file'].includes(attribute(each, 'type') ?? '') && attribute(each, 'name') !== undefined,
  )
  return controls.flatMap((control) => {
    const name = attribute(control, 'name')!
    const isSearch = attribute(node, 'method') === 'get'
    const schema = schemaOf(op, name)
    if (schema === null) return isSearch ? [] : [`${page} ${op.id}: there is no ${name}`]
    const { value, entry, description, isRequired } = schema
    const same = controls.filter((each) => attribute(each, 'name') === name)
    const isChoice = control.tagName === 'select' || attribute(control, 'type') === 'checkbox'
    const offered = (control.tagName === 'select' ? named(control, 'option') : same).map((each) =>
      attribute(each, 'value'),
    )
    const allowed =
      entry.enum ?? (value.type === 'boolean' ? (offered.length === 1 ? ['true'] : ['true', 'false']) : null)
    const limit = (key: string) => {
      const bound = value[key]
      return typeof bound === 'number' && bound < (key === 'maxLength' ? 1024 ** 2 : Number.MAX_SAFE_INTEGER)
        ? String(bound)
        : undefined
    }
    const label = textOf(group(control, 'label')!)
    const isBox = attribute(control, 'type') === 'checkbox'
    const holder = isBox && value.type === 'array' ? (group(control, 'fieldset') ?? control) : control
    const heading = holder === control ? label : textOf(named(holder, 'legend')[0])
    const help = attribute(holder, 'title') ?? textOf(ids.get(attribute(holder, 'aria-describedby')) ?? {})
    const isNumber = attribute(control, 'type') === 'number'
    const expectations: [what: string, shown: unknown, expected: unknown][] = [
      [
        'allowed values',
        allowed === null ? null : offered.filter((each) => each !== '').toSorted(),
        allowed?.toSorted() ?? null,
      ],
      ['help', help || heading, isBox && allowed === null ? help || heading : description || heading],
      ['need', attribute(control, 'required') !== undefined || !isRequired || isBox, true],
      ...(isNumber || attribute(control, 'max') !== undefined || attribute(control, 'min') !== undefined
        ? (['minimum', 'maximum'] as const).map((key): [string, unknown, unknown] => [
            key,
            attribute(control, key.slice(0, 3)),
            limit(key),
          ])
        : []),
      ...(isChoice
        ? []
        : [['length', attribute(control, 'maxlength'), limit('maxLength')] as [string, unknown, unknown]]),
    ]
    return expectations.flatMap(([what, shown, expected]) =>
      JSON.stringify(shown) === JSON.stringify(expected)
        ? []
        : [`${page} ${op.id}: ${what} of ${name} is ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`],
    )
  })
}

function group(node: any, tag: string): any {
  return node === null || node.tagName === tag ? node : group(node.parentNode ?? null, tag)
}

async function readForms(page: string, text: string): Promise<Form[]> {
  const forms = named(parse(text), 'form').map(async (node) => {
    const action = /^\/console\/run\/(.+)$/.exec(attribute(node, 'action') ?? '')?.[1]
    const find = named(node, 'input').find((each) => attribute(each, 'name') === 'find')
    const search = find ? PICKERS[attribute(find, 'value')!] : SEARCHES[page.split('?')[0]!]
    const id = action ?? (attribute(node, 'method') === 'get' ? search : undefined)
    return id === undefined ? [] : [{ page, op: await loadOperation(id), node }]
  })
  return (await Promise.all(forms)).flat()
}

interface Console {
  texts: Map<string, string>
  forms: Form[]
}
let whole: Promise<Console> | null = null

/** All pages, with something to show in each, and their forms. Read once. */
function readConsole(): Promise<Console> {
  const read = async (): Promise<Console> => {
    const [texts, forms] = [new Map<string, string>(), [] as Form[]]
    const model = await startStubModel()
    onTestFinished(() => model.close())
    const service = await servedConsole({ env: { STUDIO_LLM_HOST: model.url } })
    const open = async (page: string, cookie: string) => {
      const { status, text: whole } = await service.open(`/console${page}`, cookie)
      // The search above every page has no fields of an operation.
      const text = whole.slice(whole.indexOf('<main'))
      expect([page, status]).toEqual([page, 200])
      // The search of the header is the same on all pages.
      const main = text.slice(text.indexOf('<main'))
      texts.set(page, main)
      forms.push(...(await readForms(page, main)))
    }
    const cookie = await service.signIn((await service.run('sessions.create-link', {})).path.split('#')[1])
    await open('/work', cookie)
    const pages = await fillConsole(service)
    for (const page of pages) await open(page, cookie)
    return { texts, forms }
  }
  whole ??= read()
  return whole
}

/** The version that a change is based on. */
const BASIS = ['ifRevision', 'updatedAt']

/** What is new, or says as a whole where an appointment goes, replaces nothing of others. */
const BEGINS = /\.(create|add|book|reschedule|confirm|swap|clear)|^series\.move/

/** Whether a form shows values that it would replace, without the version or the values that it was drawn with. */
function writesBack({ op, node }: Form): boolean {
  if (op.effect === 'read' || BEGINS.test(op.id)) return false
  const names = named(node, 'input').map((each) => attribute(each, 'name') ?? '')
  if (names.some((name) => BASIS.includes(name))) return false
  const fields = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }).properties as any
  return named(node, 'input', 'select', 'textarea').some((control) => {
    const name = attribute(control, 'name') ?? ''
    if (attribute(control, 'type') === 'hidden' || names.includes(`drawn.${name}`)) return false
    const value = shownBy(control)
    return value !== '' && value !== String(fields[without(name)[0]!]?.default ?? '')
  })
}

/** What a control sends if no one touches it. */
function shownBy(control: any): string {
  if (control.tagName === 'textarea') return textOf(control)
  if (control.tagName !== 'select')
    return attribute(control, 'type') !== 'checkbox' || attribute(control, 'checked') !== undefined
      ? (attribute(control, 'value') ?? '')
      : ''
  const chosen = named(control, 'option').find((option) => attribute(option, 'selected') !== undefined)
  return chosen ? (attribute(chosen, 'value') ?? '') : ''
}

describe('the forms of the console', () => {
  it('say of every field what the schema of its operation says', async () => {
    const { forms } = await readConsole()
    expect(forms.flatMap(faultsOf)).toEqual([])
  })

  it.each([
    ['a limit', / max="1440"/, ' max="1441"'],
    ['a length', / maxlength="200"/, ' maxlength="300"'],
    ['an allowed value', /<option value="pickup"/, '<option value="boat"'],
    ['a help text', />How many minutes before/, '>How many hours before'],
  ])('are refused with a planted fault: %s', async (_, sound, wrong) => {
    const { texts } = await readConsole()
    const page = ['/docks/DC1/settings', '/docks/DC1/book'].find((path) => sound.test(texts.get(path)!))!
    const planted = await readForms(page, texts.get(page)!.replace(sound, wrong))
    expect(planted.flatMap(faultsOf)).toHaveLength(1)
  })

  it('do not write back what someone else has changed since they were drawn', async () => {
    const { forms } = await readConsole()
    const unprotected = forms.filter((form) => writesBack(form)).map(({ page, op }) => `${page} ${op.id}`)
    expect(unprotected).toEqual([])
  })

  it('leave out fields on purpose alone', async () => {
    const { forms } = await readConsole()
    const shown = new Map<string, Set<string>>()
    for (const { op, node } of forms) {
      const names = named(node, 'input', 'select', 'textarea').map((each) => attribute(each, 'name'))
      shown.set(op.id, new Set([...(shown.get(op.id) ?? []), ...names.map((name) => without(name ?? '')[0]!)]))
    }
    const entries = forms.map(({ op }): [string, string[]] => {
      const fields = Object.keys((op.input as z.ZodObject).shape)
      return [op.id, fields.filter((field) => !shown.get(op.id)!.has(field)).toSorted()]
    })
    const left = Object.fromEntries(entries.filter(([, fields]) => fields.length > 0))
    expect(left).toEqual(NOT_SHOWN)
  })
})
