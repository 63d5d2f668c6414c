import { type Context, StudioError } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext, WriteTx } from '../../../storage'
import { createAddressPolicy, type WebhookContext } from '../../events/services/address-policy'
import { openSignedRequests } from '../../events/services/signed-requests'
import type { Facility } from '../../facilities/rules/facility'
import { type BookingCheck, findBookingCheck } from '../queries/booking-checks'
import { readCheckAnswer } from '../rules/check-answer'

type Ctx = Context & StorageContext & Partial<WebhookContext>

/** What the endpoint of the facility said about a request. */
export interface Verdict {
  check: BookingCheck
  durationMinutes: number | null
  requirements: string[] | null
  /** For the history: why the endpoint was not asked, if it was away; null if it answered. */
  note: string | null
}

/** What the endpoint may change of a request. */
interface CheckedFields {
  durationMinutes?: number | null
  requirements?: readonly string[] | null
}

/** Ends a transaction whose facility has an endpoint that was not asked yet. */
class CheckNeeded extends Error {
  constructor(
    readonly check: BookingCheck,
    readonly facility: Pick<Facility, 'id' | 'code'>,
    readonly request: object,
  ) {
    super('The booking is not checked yet.')
  }
}

/** More are only possible if the endpoint is replaced each time. */
const MAX_ROUNDS = 3

/**
 * Books with `book`, which calls `requireVerdict` in its transaction. If the facility has an endpoint, it is asked between two transactions,
 * never in one, because an endpoint may take seconds. Throws `booking_refused`, and `unavailable` if it is away and that refuses bookings.
 */
export async function bookChecked<Result>(
  ctx: Ctx,
  book: (verdict: Verdict | null) => Promise<Result>,
): Promise<Result> {
  let verdict: Verdict | null = null
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      return await book(verdict)
    } catch (error) {
      if (!(error instanceof CheckNeeded)) throw error
      verdict = await ask(ctx, error)
    }
  }
  throw new StudioError(
    'database_busy',
    'The booking check of the facility was replaced meanwhile; nothing was booked.',
    {
      hint: 'Try again.',
      retryAfterSeconds: 1,
    },
  )
}

/** Throws `CheckNeeded` if the facility has an endpoint that has not judged the request. */
export async function requireVerdict(
  tx: WriteTx,
  facility: Pick<Facility, 'id' | 'code' | 'isChecked'>,
  { verdict, request }: { verdict: Verdict | null; request: object },
): Promise<void> {
  if (!facility.isChecked) return
  const check = await findBookingCheck(tx, facility.id)
  if (check === null || (verdict?.check.url === check.url && verdict.check.secret === check.secret)) return
  throw new CheckNeeded(check, facility, request)
}

/** The request with what the endpoint changed. */
export function applyVerdict<Request extends CheckedFields>(request: Request, verdict: Verdict | null): Request {
  return {
    ...request,
    ...(verdict?.durationMinutes != null && { durationMinutes: verdict.durationMinutes }),
    ...(verdict?.requirements != null && { requirements: verdict.requirements }),
  }
}

/**
 * In place of `plan_changed`, if the endpoint, which a dry run does not ask, wants another length or other requirements than the plan has: the
 * same dry run would show the same plan again.
 */
export function explainPlanChange(
  error: unknown,
  { facility, verdict, request }: { facility: Pick<Facility, 'code'>; verdict: Verdict | null; request: CheckedFields },
): unknown {
  if (!(error instanceof StudioError) || error.code !== 'plan_changed' || verdict === null) return error
  const { durationMinutes, requirements } = verdict
  const asked = new Set(request.requirements)
  const isSame = new Set(requirements).size === asked.size && requirements?.every((feature) => asked.has(feature))
  const wanted = [
    ...(durationMinutes === null || durationMinutes === request.durationMinutes
      ? []
      : [`durationMinutes ${durationMinutes}`]),
    ...(requirements === null || isSame ? [] : [`requirements ${JSON.stringify(requirements)}`]),
  ].join(' and ')
  if (wanted === '') return error
  const message = `${facility.code} accepts the booking only with ${wanted}, which the plan does not have; nothing was booked.`
  return new StudioError('booking_refused', message, {
    hint: 'Repeat the dry run with these values, or book without planId.',
  })
}

async function ask(ctx: Ctx, { check, facility, request }: CheckNeeded): Promise<Verdict> {
  const answer = await sendCheck(ctx, check, { facility, booking: request })
  const verdict = { check, durationMinutes: null, requirements: null, note: null }
  if ('failure' in answer) {
    ctx.log.warn('a booking check gave no answer', { facility: facility.id, error: answer.failure })
    if (check.ifAway === 'accept') return { ...verdict, note: `Booked without the booking check: ${answer.failure}` }
    throw new StudioError('unavailable', `The booking check of ${facility.code} gave no answer; nothing was booked.`, {
      hint: 'Try again later, or contact the facility.',
      retryAfterSeconds: 60,
    })
  }
  const { decision, message, durationMinutes = null, requirements = null } = answer
  if (decision === 'accept') return { ...verdict, durationMinutes, requirements }
  throw new StudioError(
    'booking_refused',
    `${facility.code} refuses the booking: ${message ?? 'no reason was given'}`,
    {
      hint: 'Change the booking, or contact the facility.',
    },
  )
}

/** Asks the endpoint once. */
export async function sendCheck(
  ctx: Ctx,
  check: BookingCheck,
  { facility, booking }: { facility: Pick<Facility, 'id' | 'code'>; booking: object | null },
): Promise<ReturnType<typeof readCheckAnswer>> {
  const requests = openSignedRequests(createAddressPolicy(ctx.webhooks?.allowedNetworks ?? []))
  const sentAt = ctx.clock.now()
  const type = booking === null ? 'booking.check.test' : 'booking.check'
  const data = { facilityId: facility.id, facilityCode: facility.code, booking }
  const message = {
    id: `check_${ctx.ids.uuid()}`,
    body: JSON.stringify({ type, timestamp: formatInstant(sentAt), data }),
  }
  const target = { url: check.url, secret: check.secret, previous_secret: null, previous_secret_until: null }
  try {
    const answer = await requests.post(target, message, { sentAt, timeoutMs: check.timeoutMs, signal: ctx.signal })
    return 'failure' in answer ? answer : readCheckAnswer(answer)
  } finally {
    requests.close()
  }
}
