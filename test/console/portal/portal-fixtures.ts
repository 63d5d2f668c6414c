import { type ConsoleServed, cookieOf, openFacility, servedConsole } from '../console-fixtures'

export const BLUE = 'Blue Freight'
export const ACME = 'Acme'

/** A facility that admits two carriers, both of which are invited to the portal. */
export async function openPortalService(given: Parameters<typeof servedConsole>[0] = {}) {
  const service = await servedConsole({ local: false, ...given })
  const { date } = await openFacility(service)
  const facility = await service.run('facilities.get', { id: 'DC1' })
  for (const name of [BLUE, ACME]) await service.run('carriers.admit', { id: 'DC1', name })
  const invite = (input: object = {}) => service.run('carriers.invite', { carrier: BLUE, ...input })
  const redeem = (link: string, cookie?: string) =>
    service.send('/portal/sign-in', { credential: link.split('#')[1] }, cookie)
  const enter = async (input: object = {}) => cookieOf(await redeem((await invite(input)).link))
  const form = (cookie: string, operation: string, fields: object, headers = {}) =>
    service.send(`/portal/run/${operation}`, fields, cookie, headers)
  const book = (cookie: string, referenceNumber: string, more: object = {}) =>
    form(cookie, 'appointments.book', {
      facilityId: facility.id,
      carrierName: BLUE,
      type: 'delivery',
      referenceNumber,
      targetDate: date,
      palletCount: '10',
      ...more,
    })
  return { ...service, date, facility, invite, redeem, enter, form, book }
}

export type PortalService = Awaited<ReturnType<typeof openPortalService>>

/** The appointment with the reference, as the site sees it. */
export async function findByReference({ run }: Pick<ConsoleServed, 'run'>, referenceNumber: string) {
  const [found] = await run('appointments.find', { referenceNumber })
  return found
}
