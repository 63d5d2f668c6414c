export { ACCEPTED_TYPES, fileTypeNames } from './attachments/rules/file-type'
export { MAX_ATTACHMENT_BODY_BYTES, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from './attachments/rules/limits'
export { listLoadFacts } from './booking/rules/load'
export { loadFields, loadKeys, placingKeys } from './booking/rules/load-fields'
export { formatReference } from './booking/rules/references'
export { eventTypes, nameEventType } from './events/rules/event-types'
export type { WebhookContext } from './events/services/address-policy'
export type { GateVisitState } from './gate/rules/visit-state'
export type { OpenGateLink } from './gate/services/gate-access'
export { docksMigration } from './migrations'
export { formatState, listFollowingSteps, nameChange, stepNames } from './visits/rules/appointment-steps'
export { type Attention, attentionNames, attentions, judgeAttention } from './visits/rules/attention'
export type { LinkedOffer } from './waitlist/services/offer-links'
export {
  describeDetention,
  describeStay,
  listPlaces,
  nameLoad,
  namePlace,
  summarizeYard,
} from './yard/rules/yard-texts'

/** Checks the time zone data, and the zones of the facilities unless `db` is null. */
export async function inspectTimeZones(
  db: import('../storage').Database | null,
  now: number,
): Promise<import('../storage').Finding[]> {
  const { inspectTimeZones: inspectZones, readTimeZoneData: zoneData } = await import(
    './facilities/services/inspect-time-zones'
  )
  return inspectZones(zoneData(), db, now)
}

/** Identifies what the board of a facility shows. */
export async function readBoardVersion(
  ctx: import('../kernel').Context & import('../storage').StorageContext,
  board: { id: string; date?: string },
): Promise<string> {
  return (await import('./facilities/services/board-version')).readBoardVersion(ctx, board)
}

/** Where an appointment could be moved to on a date. */
export async function findFreeMoves(
  ctx: import('../kernel').Context & import('../storage').StorageContext,
  wanted: { id: string; date: string },
): Promise<import('./booking/services/free-moves').FreeMoves> {
  return (await import('./booking/services/free-moves')).findFreeMoves(ctx, wanted)
}

/** The offer that a link of a mail is about; null if it has ended. Throws `unauthenticated` for an invalid link. */
export async function findOfferOfLink(
  ctx: import('../kernel').Context & import('../storage').StorageContext,
  token: string,
): Promise<import('./waitlist/services/offer-links').LinkedOffer | null> {
  return (await import('./waitlist/services/offer-links')).findOfferOfLink(ctx, token)
}

/** Does what the docks need at intervals, until the signal of the context is aborted. */
export async function keepDocksUp(
  ctx: import('../kernel').Context & import('../storage').StorageContext,
): Promise<void> {
  return (await import('./services/dock-upkeep')).keepDocksUp(ctx)
}

/** Delivers the events of all webhooks until the signal is aborted. After an error it begins again. */
export async function runWebhookDeliverer(
  ctx: import('../kernel').Context &
    import('../storage').StorageContext &
    import('./events/services/address-policy').WebhookContext,
): Promise<void> {
  const { runDeliverer } = await import('./events/services/run-deliverer')
  return runDeliverer(ctx)
}

/** What the check-in page of drivers does. */
export async function loadGateAccess(): Promise<typeof import('./gate/services/gate-access')> {
  return import('./gate/services/gate-access')
}

/** Draws QR codes. Only who shows a new link loads it. */
export async function loadQrCode(): Promise<typeof import('./gate/rules/qr-code')> {
  return import('./gate/rules/qr-code')
}
