import { load } from '../docks/dock-fixtures'
import { type ConsoleServed, openFacility } from './console-fixtures'

/** A facility whose fields and reasons have inputs on the pages of its appointments. */
const FACILITY = {
  customFields: [
    { name: 'seal' },
    { name: 'lane', kind: 'choice', choices: ['cold', 'dry'] },
    { name: 'margin', seenBy: 'site' },
  ],
  reasons: ['cancelled', 'rescheduled', 'no_show', 'turned_away'].map((change) => ({ change, choices: ['Weather'] })),
}

/** Gives each page of the console something to show, and lists the pages. */
export async function fillConsole(service: ConsoleServed): Promise<string[]> {
  const { run } = service
  const { date } = await openFacility(service, {
    ...FACILITY,
    limits: [{ max: 4, per: 'hour', carriers: ['Acme'] }],
  })
  await run('facilities.close', { id: 'DC1', from: '2031-01-01' })
  await run('facilities.block', { id: 'DC1', from: '2031-02-01T08:00', to: '2031-02-01T09:00', doors: ['Door 1'] })
  await run('facilities.create', {
    code: 'OLD',
    name: 'Old',
    timeZone: 'UTC',
    queues: [{ days: ['mon'], start: '06:00', end: '18:00' }],
    doors: [{ name: 'Door 1' }],
  })
  await run('facilities.delete', { id: 'OLD' })
  const book = async (referenceNumber: string) =>
    (await run('appointments.book', load({ targetDate: date, referenceNumber }))).data
  const [first, second] = [await book('PO-1'), await book('PO-2')]
  await run('waitlist.add', load({ targetDate: date, referenceNumber: 'PO-3' }))
  await run('holds.create', { facilityCode: 'DC1', type: 'pickup', targetDate: date, carrierName: 'Acme' })
  await run('carriers.admit', { id: 'DC1', name: 'Blue' })
  const repeated = {
    facilityCode: 'DC1',
    type: 'pickup',
    carrierName: 'Acme',
    referencePrefix: 'ACME',
    firstDate: date,
  }
  const { data: series } = await run('series.create', { ...repeated, days: ['mon', 'tue', 'thu'], startTime: '09:00' })
  await run('series.skip', { id: series.id, date: series.occurrences[0].date })
  const [held] = await run('holds.list', { facilityCode: 'DC1' })
  await run('appointments.check-in', { id: second.id, early: true })
  await run('features.import', { featureId: 101 })
  const { id: folder } = await run('folders.create', { name: 'Later' })
  await run('drafts.save', { title: 'Later', folderId: folder })
  const { id: draft } = await run('drafts.save', { title: 'Doors' })
  await run('drafts.save', { id: draft, title: 'Gates' })
  await run('views.save', { name: 'Open', criteria: { state: 'open' } })
  await run('filters.save', { name: 'Mine', criteria: { state: 'Active' } })
  await run('filters.set-working', { criteria: { state: 'open' } })
  await run('people.add', { email: 'lee@example.com', name: 'Lee' })
  await run('tokens.create', { name: 'ci' })
  await run('tenants.create-key', { scope: 'write' })
  await run('staff.add', { email: 'ana@example.com', name: 'Ana' })
  await run('webhooks.add', { url: 'https://tms.example.com/in', facility: 'DC1' })
  await run('webhooks.add', { url: 'https://sms.example.com/', bodyTemplate: 'To={{phone}}' })
  await run('mail-templates.set', { id: 'booked', subject: 'Ours' })
  await run('facilities.set-check', { id: 'DC1', url: 'https://wms.example.com/check' })
  await run('facilities.create-gate-link', { id: 'DC1' })
  await run('yard.add-spots', { id: 'DC1', names: ['Y1', 'Y2'] })
  const trailer = await run('yard.arrive', {
    facilityCode: 'DC1',
    number: 'TR-1',
    carrierName: 'Blue',
    spotName: 'Y1',
  })
  return [
    ...[
      '',
      '/search',
      '/search?q=driver',
      '/work',
      '/work?view=list&columns=reference,Risk&sort=-Risk&fields=',
      '/work/items/204',
      '/work/items/204/copy',
      '/work/items/204/steps',
      '/work/items/204/links',
      '/work/items/204/attachments',
      '/work/queries',
      '/work/queries?query=Open+bugs',
      '/work/items/204/comments',
      '/work/items/204?edit',
      '/work/views/1',
      '/work/saved',
      '/work/import',
      '/work/import?find=features',
      '/work/import?find=items&query=door',
      '/work/new',
      '/work/new?parent=204',
      '/work/change?id=204',
      '/drafts',
      `/drafts?folder=${folder}`,
    ],
    ...[
      `/drafts/${draft}`,
      `/drafts/${draft}/publish`,
      `/reports/forecast?items=5&by=${date}`,
      '/reports/briefing',
      '/reports/priorities',
      '/settings',
      '/settings/staff',
      '/settings/people',
      '/settings/trackers',
      '/settings/storage',
      '/settings/audit',
      '/settings/messages',
      '/settings/system',
      '/docks',
      '/docks/DC1',
    ],
    ...['book', 'book?slot=1', 'availability', 'week', 'waitlist', 'import', 'gate-links', 'yard', 'settings'].map(
      (page) => `/docks/DC1/${page}`,
    ),
    ...[
      'attention',
      'report',
      `appointments?startDate=${date}`,
      'clear',
      'holds',
      `holds?book=${held.id}`,
      'series',
      'carriers',
      'yard/import',
    ].map((page) => `/docks/DC1/${page}`),
    ...[`?date=${date}`, '?wall', '?gate', '?gate=&find=PO-1'].map((query) => `/docks/DC1${query}`),
    ...['slot?do=hold', 'slot?do=block', 'screens'].map((page) => `/docks/DC1/${page}`),
    ...['menu', 'change?do=reschedule', 'change?do=swap'].map((page) => `/appointments/${first.id}/${page}`),
    ...['/appointments', `/series/${series.id}`, `/series/${series.id}?date=${series.occurrences[1].date}`],
    ...[`/appointments/${first.id}`, `/appointments/${second.id}`, `/trailers/${trailer.data.id}`],
  ]
}
