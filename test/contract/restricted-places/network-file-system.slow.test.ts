import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Program, program } from '../program'
import { expectQuoted } from './namespace'

/** The environment in which this code runs in each process of the program before it, in place of the file system. */
function fileSystemOf(studio: Program, code: string): Record<string, string> {
  const file = join(studio.home, 'file-system.cjs')
  writeFileSync(file, `const fs = require('node:fs')\n${code}`)
  return { NODE_OPTIONS: `--require ${file}` }
}

const ofType = (type: number) => `
  const { statfsSync } = fs
  fs.statfsSync = (...args) => ({ ...statfsSync(...args), type: ${type} })
`
const failing = (name: string, code: string) => `
  const fail = () => { throw Object.assign(new Error('${code}: ${name}'), { code: '${code}' }) }
  fs.${name} = fs.promises.${name} = fail
`

describe.runIf(process.platform === 'linux')('a home on a network file system', () => {
  it.each([
    ['NFS', 0x6969],
    ['SMB', 0xfe534d42],
    ['9P', 0x01021997],
  ])('is read, and refuses writes: %s', async (name, type) => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'First'])
    const env = fileSystemOf(studio, ofType(type))
    const refused = await studio.run(['draft', 'save', '--title', 'Second'], { env })
    expectQuoted({ ...refused, err: refused.err.replace(`(${name})`, '(NFS)') }, 7, studio.home)
    expect(await studio.json(['draft', 'list'], { env })).toMatchObject([{ title: 'First' }])
    expect((await studio.run(['search', 'First'], { env })).out).toContain('First')
    const { exitCode, out } = await studio.run(['doctor', '--offline', '--quick'], { env })
    expect([exitCode, out]).toEqual([8, expect.stringContaining(`is on a shared file system (${name})`)])
  })

  it('refuses writes if the name of its mount says that it shows files of another machine', async () => {
    const studio = await program()
    const [fuse, unknown] = [0x65735546, 0x1234567]
    const mounted = (type: string, number: number) => `${ofType(number)}
      const { readFileSync } = fs
      const line = '36 35 98:0 / ${studio.home} rw,noatime shared:1 - ${type} ana@host:/home rw\\n'
      fs.readFileSync = (path, ...args) => path === '/proc/self/mountinfo' ? line : readFileSync(path, ...args)
    `
    const save = (type: string, number = fuse) =>
      studio.run(['draft', 'save', '--title', 'First'], { env: fileSystemOf(studio, mounted(type, number)) })
    expect(await save('fuse.sshfs')).toMatchObject({ exitCode: 7, err: expect.stringContaining('(sshfs)') })
    expect(await save('fuse.grpcfuse')).toMatchObject({ exitCode: 7, err: expect.stringContaining('(grpcfuse)') })
    expect(await save('virtiofs')).toMatchObject({ exitCode: 7, err: expect.stringContaining('(virtiofs)') })
    expect(await save('fakeowner', unknown)).toMatchObject({ exitCode: 7, err: expect.stringContaining('(fakeowner)') })
    expect(await save('fuse.gocryptfs')).toMatchObject({ exitCode: 0, err: '' })
    expect(await save('ext4', unknown)).toMatchObject({ exitCode: 0, err: '' })
  })
})

describe('a file system', () => {
  it.each([
    ['openSync', 'ENOLCK'],
    ['fdatasync', 'EOPNOTSUPP'],
    ['renameSync', 'ENOSYS'],
    ['fdatasync', 'EDQUOT'],
    ['fdatasync', 'ESTALE'],
  ])('whose %s fails with %s refuses a write with a reason', async (name, code) => {
    const studio = await program()
    const script =
      name === 'openSync'
        ? `const { openSync } = fs
           fs.openSync = (path, flag, ...rest) => {
             if (flag === 'wx') throw Object.assign(new Error('${code}'), { code: '${code}' })
             return openSync(path, flag, ...rest)
           }`
        : name === 'fdatasync'
          ? `fs.fdatasync = (fd, done) => done(Object.assign(new Error('${code}'), { code: '${code}' }))`
          : failing(name, code)
    const ran = await studio.run(['draft', 'save', '--title', 'First'], { env: fileSystemOf(studio, script) })
    expectQuoted(ran, 7, studio.home)
    expect(await studio.json(['draft', 'list'])).toEqual([])
  })

  it('whose exclusive creation does not exclude loses no write of two processes', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'First'])
    const env = fileSystemOf(
      studio,
      `const { openSync } = fs
       fs.openSync = (path, flag, ...rest) => openSync(path, flag === 'wx' && path.endsWith('.lock') ? 'w' : flag, ...rest)`,
    )
    const write = async (name: string) => {
      const saved: string[] = []
      for (let n = 0; n < 4; n++) {
        const title = `${name} ${n}`
        if ((await studio.run(['draft', 'save', '--title', title], { env })).exitCode === 0) saved.push(title)
      }
      return saved
    }
    const saved = (await Promise.all([write('A'), write('B')])).flat()
    expect(saved).toHaveLength(8)
    const titles = (await studio.json(['draft', 'list'])).map(({ title }: { title: string }) => title)
    expect(titles.sort()).toEqual(['First', ...saved].sort())
    expect(readdirSync(studio.home).filter((name) => name.endsWith('.lock'))).toEqual([])
  })
})
