import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program } from './program'

const TITLE = 'Tür № 5 – 雪 🚚'
const CREATE = [
  'facility',
  'create',
  '--code',
  'DC1',
  '--name',
  'North',
  '--time-zone',
  'Etc/UTC',
  '--queue',
  'mon-fri 06:00-18:00',
]

describe.runIf(process.platform === 'win32')('the program on Windows', () => {
  it('keeps its files in %LOCALAPPDATA%, also below spaces and letters of any language', async () => {
    const studio = await program()
    const env = { STUDIO_HOME: '', LOCALAPPDATA: join(studio.home, 'Änne Weiß 雪', 'App Data') }
    await studio.json(['draft', 'save', '--title', TITLE], { env })
    expect(existsSync(join(env.LOCALAPPDATA, 'studio', 'studio.db'))).toBe(true)
    expect((await studio.json(['draft', 'get', '1'], { env })).title).toBe(TITLE)
  })

  it('works below a path of more than 260 characters', async () => {
    const studio = await program()
    const env = { STUDIO_HOME: join(studio.home, ...['a', 'b', 'c'].map((letter) => letter.repeat(100))) }
    await studio.json(['draft', 'save', '--title', TITLE], { env })
    expect((await studio.json(['search', 'Tür'], { env })).total).toBe(1)
  })

  it('writes UTF-8 into a pipe, whatever the code page, and colours where they are asked for', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', TITLE])
    const { out } = await studio.run(['draft', 'list'], { env: { FORCE_COLOR: '1' } })
    expect(out).toContain(TITLE)
    expect(out).toContain('\u001b[')
  })

  it('refuses a Unix socket, and says what to use', async () => {
    const { exitCode, err } = await (await program()).run(['serve', '--socket', 'studio.sock'])
    expect(exitCode).not.toBe(0)
    expect(err).toContain('does not support Unix sockets')
    expect(err).toContain('--port')
  })

  it('imports CSV with the line ends and the byte order mark of Excel', async () => {
    const studio = await program()
    await studio.json([...CREATE, '--door', 'A'])
    const rows = [
      'type,carrierName,referenceNumber,targetDate',
      'pickup,Änne,R-1,2055-03-01',
      'pickup,Acme,R-2,2055-03-01',
    ]
    writeFileSync(join(studio.home, 'bookings.csv'), `\uFEFF${rows.join('\r\n')}\r\n`)
    await studio.json(['appointment', 'import', 'bookings.csv', '--facility', 'DC1'])
    const listed = await studio.json([
      'appointment',
      'list',
      '--facility',
      'DC1',
      '--from',
      '2055-03-01',
      '--to',
      '2055-03-02',
    ])
    expect(listed.map(({ carrierName, referenceNumber }: any) => [referenceNumber, carrierName]).sort()).toEqual([
      ['R-1', 'Änne'],
      ['R-2', 'Acme'],
    ])
  })
})
