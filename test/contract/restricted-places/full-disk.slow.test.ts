import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectQuoted, hasNamespaces, openPlace } from './namespace'

const mount = (options: string) => `mount -t tmpfs -o ${options},mode=700 none "$HOMEDIR"\n`
const fill = 'dd if=/dev/zero of="$HOMEDIR/fill" bs=1k 2> /dev/null || true\n'

describe.runIf(hasNamespaces)('a disk without space', () => {
  it('refuses the first start, and leaves no part of a database', () => {
    const { home, run } = openPlace()
    const [first, again] = run(`${mount('size=200k')}
      studio draft save --title First
      test -z "$(ls -A "$HOMEDIR")"
      mount -o remount,size=4m "$HOMEDIR"
      studio draft save --title First
    `)
    expectQuoted(first!, 7, home)
    expect(again).toMatchObject({ exitCode: 0, err: '' })
  })

  it('is not reported where a limit on the size of files ends a write', () => {
    const { home, run } = openPlace()
    const [first, saved, stdout, full, list] = run(`
      ulimit -S -f 100
      studio draft save --title First
      test -z "$(ls -A "$HOMEDIR")"
      ulimit -S -f unlimited
      studio draft save --title Second
      ulimit -S -f 1
      studio --help
      ulimit -S -f $(($(stat -c %s "$HOMEDIR"/studio.db.log.*) / 512 + 1))
      studio draft save --title Third --description "$(seq 1000)"
      studio draft list --json
    `)
    expectQuoted(first!, 7, home)
    expect(saved).toMatchObject({ exitCode: 0, err: '' })
    expect([stdout!.exitCode, stdout!.err]).toEqual([
      7,
      'error: Standard output cannot be written: its file has reached the limit on the size of files.\n',
    ])
    expectQuoted(full!, 7, home)
    expect(JSON.parse(list!.out)).toMatchObject([{ title: 'Second' }])
  })

  it('loses nothing that was saved, reads it, and writes again when there is space', () => {
    const { home, run } = openPlace()
    const [, full, imported, backup, doctor, list, search, again, last] = run(`${mount('size=1400k')}
      studio draft save --title First
      ${fill}
      studio draft save --title Second
      studio import 101 --quiet
      studio backup "$HOMEDIR/copy.db"
      studio doctor --offline --quick
      studio draft list
      studio search First
      test ! -e "$HOMEDIR/copy.db"
      rm "$HOMEDIR/fill"
      studio draft save --title Third
      studio draft list --json
    `)
    expectQuoted(full!, 7, home)
    expect(imported).toMatchObject({ exitCode: 7, err: expect.stringContaining('the disk is full') })
    expectQuoted(backup!, 7, home)
    expect([doctor!.exitCode, doctor!.out]).toEqual([
      8,
      expect.stringContaining('Nothing can be written. No space is left in'),
    ])
    for (const read of [list!, search!])
      expect(read).toMatchObject({ exitCode: 0, out: expect.stringContaining('First') })
    expect(again).toMatchObject({ exitCode: 0, err: '' })
    expect(
      JSON.parse(last!.out)
        .map(({ title }: { title: string }) => title)
        .sort(),
    ).toEqual(['First', 'Third'])
  })

  it('refuses a write and doctor says why when no more files fit, although there is space', () => {
    const { home, run } = openPlace()
    const [, full, doctor] = run(`${mount('size=50m,nr_inodes=14')}
      studio draft save --title First
      touch "$HOMEDIR/1" "$HOMEDIR/2" "$HOMEDIR/3" "$HOMEDIR/4" "$HOMEDIR/5" "$HOMEDIR/6" "$HOMEDIR/7" "$HOMEDIR/8" 2> /dev/null || true
      studio draft save --title Second
      studio doctor --offline --quick
    `)
    expectQuoted(full!, 7, home)
    expect([doctor!.exitCode, doctor!.out]).toEqual([8, expect.stringContaining('No more files fit into')])
  })

  it('under the state and the cache alone holds up nothing', () => {
    const { home, outside, run } = openPlace()
    const ran = run(
      `${mount('size=12k')}${fill}
      studio draft save --title First
      studio item get 204
      studio search First
      studio draft list
      test -z "$(find "$HOMEDIR" -name '*.cjs*')"
      `,
      { STUDIO_HOME: '', HOME: outside, XDG_STATE_HOME: join(home, 'state'), XDG_CACHE_HOME: join(home, 'cache') },
    )
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
  })
})
