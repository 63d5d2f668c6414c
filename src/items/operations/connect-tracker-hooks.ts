import * as z from 'zod'
import { inputError, operation, StudioError } from '../../kernel'
import { parseServiceAddress, SERVICE_ADDRESS_RULE } from '../../kernel/service-address'
import { DEFAULT_TRACKER_NAME } from '../../kernel/text/item-reference'
import { getAdapter } from '../../tracker/adapters'
import { getHookFormat, sendTestEvent } from '../../tracker/hook-formats'
import { HOOKS_PATH } from '../../tracker/hooks-path'
import { createUnknownTrackerError } from '../../tracker/unknown-tracker'
import { findTrackerHook, saveTrackerHook } from '../queries'
import { Instant, TrackerName } from '../schemas'
import { openNamedTracker } from '../services/tracker-link'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../services/workspace-context'

interface HookSetupContext extends TrackerWorkspaceContext {
  findPublicUrl(): string | null
}

export const connectTrackerHooks = operation({
  id: 'tracker.hooks',
  summary: 'Show what to enter in a tracker so that it reports changes at once',
  description:
    'A service (`studio serve`) accepts the events of a webhook and reads the items that they name, within a second. It trusts nothing else in an event. The first call creates the secret that the tracker proves itself with. `register` enters the webhook in the tracker, if your token may. `test` sends an event from here to the address.',
  effect: 'write',
  recorded: ({ register, test }) => (register || test ? 'from-start' : 'in-transaction'),
  access: 'admin',
  input: z.strictObject({
    tracker: TrackerName.optional(),
    url: z
      .string()
      .max(500)
      .optional()
      .describe('Address of your service as the tracker reaches it (default: the setting serve.publicUrl)'),
    register: z.boolean().default(false).describe('Enter the webhook in the tracker, or give it the present secret'),
    test: z.boolean().default(false).describe('Send a test event to the address'),
    newSecret: z
      .boolean()
      .default(false)
      .describe('Replace the secret; events with the old one are refused from now on'),
  }),
  output: z.object({
    tracker: z.string().describe('Its name in the settings, or default'),
    product: z.string(),
    url: z.string().describe('Where the tracker sends its events'),
    secret: z.string(),
    page: z.string().nullable().describe('The page of the tracker on which webhooks are entered'),
    fields: z.array(z.object({ name: z.string(), value: z.string() })).describe('What to enter there'),
    events: z.array(z.string()).describe('The events to choose there'),
    registered: z.enum(['created', 'updated']).nullable().describe('What `register` did; null without it'),
    tested: z.boolean().describe('Whether a test event was sent and accepted'),
    receivedAt: Instant.nullable().describe('When the last event arrived; null if none has'),
  }),
  errors: ['unavailable', 'not_found', ...TRACKER_ERRORS],
  http: { method: 'post', path: HOOKS_PATH, extension: true },
  cli: {
    command: 'tracker hooks',
    args: ['tracker'],
    examples: ['studio tracker hooks', 'studio tracker hooks gh --register', 'studio tracker hooks --test'],
    seeAlso: ['serve', 'item sync-status', 'item sync'],
  },
  async run(ctx: HookSetupContext, { tracker = DEFAULT_TRACKER_NAME, url, register, test, newSecret }) {
    const facts = ctx.describeTracker(tracker)
    if (facts === null) throw createNoTrackerError(tracker, ctx)
    const address = requireAddress(url ?? ctx.findPublicUrl())
    const stored = await ctx.db.read((tx) => findTrackerHook(tx, tracker))
    const fresh = ctx.ids.secret(SECRET_LENGTH)
    const save = () =>
      ctx.db.write(async (tx) => {
        // Another call may have created the secret since.
        const used = newSecret ? fresh : ((await findTrackerHook(tx, tracker))?.secret ?? fresh)
        await saveTrackerHook(tx, tracker, used)
        return used
      })
    // A tracker that refuses to be given another secret goes on with the old one.
    const isSavedLast = register && newSecret
    const secret = stored !== null && !newSecret ? stored.secret : isSavedLast ? fresh : await save()
    const hook = { url: `${address}${HOOKS_PATH}/${encodeURIComponent(tracker)}`, secret }
    const opened = register ? await openNamedTracker(ctx, tracker) : null
    const registered = opened === null ? null : (await opened.registerHook(hook, ctx.signal)).outcome
    if (isSavedLast) await save()
    if (test) await sendTestEvent(hook, ctx.signal)
    const { page, fields, events } = getHookFormat(facts.kind).describe(hook, facts)
    const now = await ctx.db.read((tx) => findTrackerHook(tx, tracker))
    return {
      tracker,
      product: getAdapter(facts.kind).product,
      ...hook,
      page,
      fields,
      events: [...events],
      registered,
      tested: test,
      receivedAt: now?.receivedAt ?? null,
    }
  },
})

/** 256 bits of base62. */
const SECRET_LENGTH = 43

function createNoTrackerError(tracker: string, { furtherTrackers }: TrackerWorkspaceContext): StudioError {
  if (tracker !== DEFAULT_TRACKER_NAME)
    return createUnknownTrackerError(
      tracker,
      furtherTrackers.map(({ name }) => name),
    )
  return new StudioError('invalid', 'No tracker is set, and the sandbox reports no changes.', {
    hint: 'Set a tracker: studio init',
  })
}

function requireAddress(given: string | null): string {
  if (given === null)
    throw new StudioError('invalid', 'At which address does the tracker reach your service?', {
      hint: 'Set it: studio config set serve.publicUrl https://studio.example.com',
    })
  const address = parseServiceAddress(given)
  if (address === null) throw inputError([{ path: 'url', message: SERVICE_ADDRESS_RULE }])
  return address
}
