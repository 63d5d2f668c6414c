import * as z from 'zod'
import { issueCredential, parseExpiry } from '../../../access'
import { type Context, inputError, operation } from '../../../kernel'
import { formatDate } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import { parseFacilityName } from '../../facilities/services/facility-options'
import { getLocalDay } from '../../rules/zoned-time'
import { FacilityName, Name } from '../../schemas'
import { lockFacility } from '../../services/tenant-access'
import { insertGateLink, revokeGateLinks } from '../queries/gate-links'
import { GateLink, presentGateLink } from '../schemas'
import { GATE_LINK_KIND } from '../services/gate-access'

type GateContext = Context & StorageContext & { findPublicUrl(): string | null }

export const createGateLink = operation({
  id: 'facilities.create-gate-link',
  summary: 'Create a link with which drivers check in at a facility themselves',
  description:
    'The link opens a page for phones, or with `kiosk` for a screen that drivers share. A driver enters a reference or the number of the trailer, is checked in, and sees the place in the queue and then the door. The page shows nothing of other trucks. The link is shown once. It is a path until the setting serve.publicUrl says where others reach the service.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({
    id: FacilityName,
    name: Name.optional().describe('Name of the link, such as where it is posted (default: the date)'),
    kiosk: z
      .boolean()
      .default(false)
      .describe('For a screen that drivers share: the page returns to its start after each driver'),
    expires: z
      .string()
      .max(40)
      .nullish()
      .describe('When it ends: 30d, 8w, or an instant such as 2027-01-31T00:00:00Z (default: never)'),
    replace: z.boolean().default(false).describe('Revoke all other links of the facility'),
  }),
  output: GateLink.extend({ link: z.string().describe('The link itself; only its hash is stored') }),
  errors: ['not_found'],
  http: { method: 'post', path: '/api/facilities/{id}/gate-links', extension: true, hasSecret: true },
  cli: {
    command: 'facility gate-link',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { expires: { value: '30d|instant' } },
    out: { about: 'Write the result to this file: .svg and .png are the QR code of the link' },
    examples: [
      'studio facility gate-link DC1 --name "North gate"',
      'studio facility gate-link DC1 --name "South gate" --out gate.svg',
      'studio facility gate-link DC1 --kiosk --expires 52w --json --fields id,link',
      'studio facility gate-link DC1 --replace',
    ],
    seeAlso: ['gate-link list', 'gate-link revoke', 'appointment check-in', 'facility board'],
  },
  run(ctx: GateContext, { id, name, kiosk, expires, replace }) {
    const now = ctx.clock.now()
    const expiry = expires == null ? null : parseExpiry(expires, now)
    if (expiry && 'problem' in expiry) throw inputError([{ path: 'expires', message: expiry.problem }])
    return ctx.db.write(async (tx) => {
      const facility = await lockFacility(ctx, tx, parseFacilityName(id))
      if (replace) await revokeGateLinks(tx, facility.id, now)
      const { text: secret, row: issued } = issueCredential(ctx, GATE_LINK_KIND)
      const row = {
        ...issued,
        tenant_id: facility.tenantId,
        facility_id: facility.id,
        name: name ?? formatDate(getLocalDay(facility.timeZone, now)),
        is_kiosk: Number(kiosk),
        expires_at: expiry === null ? null : expiry.at,
      }
      await insertGateLink(tx, row)
      const { code: facilityCode, name: facilityName, timeZone } = facility
      const link = `${ctx.findPublicUrl() ?? ''}/gate#${secret}`
      return { ...presentGateLink({ ...row, facilityCode, facilityName, timeZone }, now), link }
    })
  },
})
