import * as z from 'zod'
import { findTenantId } from '../../../access'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { hideOtherCarriers } from '../../carriers/rules/carriers'
import { findDoorsByFacility, listFacilities as readFacilities } from '../../queries'
import { restrictToCaller } from '../../services/tenant-access'
import { Facility } from '../schemas'

export const listFacilities = operation({
  id: 'facilities.list',
  summary: 'List the facilities with their hours and doors',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: z.strictObject({
    archived: z.boolean().default(false).describe('List the deleted facilities instead'),
  }),
  output: z.array(Facility),
  errors: [],
  http: { method: 'get', path: '/api/facilities', extension: true, cacheable: () => true },
  listOrder: () => ({ id: ({ id }) => id, key: ({ code }) => [code] }),
  cli: {
    command: 'facility list',
    examples: [
      'studio facility list',
      'studio facility list --json --fields code,name,timeZone',
      'studio facility list --archived',
    ],
    seeAlso: ['facility get', 'facility create', 'facility restore', 'appointment list'],
  },
  run(ctx: Context & StorageContext, { archived }) {
    return ctx.db.read(async (tx) => {
      const tenantId = await findTenantId(ctx, tx)
      if (tenantId === null) return []
      const doors = await findDoorsByFacility(tx, tenantId)
      const facilities = await readFacilities(tx, tenantId, { archived })
      return facilities.flatMap((found) => {
        const facility = restrictToCaller(ctx, found)
        return facility ? [{ ...hideOtherCarriers(facility), doors: doors.get(facility.id) ?? [] }] : []
      })
    })
  },
})
