import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'

describe('the licences of the bundled packages', () => {
  it('are in the package, with their notices', async () => {
    const text = await readFile('dist/THIRD-PARTY-LICENSES.txt', 'utf8')
    const sections = new Map(
      text.split(/^=== /m).flatMap((section) => {
        const [head = '', ...lines] = section.split('\n')
        return head === '' ? [] : [[head.split(' ')[0]!, lines.join('\n')] as const]
      }),
    )
    // An Apache licence with a notice, a file with another name, and two that are in a readme.
    expect(sections.get('swagger-ui-dist')).toMatch(/Apache License[\s\S]*Copyright 20\d\d.* SmartBear Software/)
    for (const name of ['punycode.js', 'pg-types', 'pgpass'])
      expect(sections.get(name)).toContain('Permission is hereby granted')
    const without = [...sections].filter(([, licence]) => !/copyright|permission|unlicense/i.test(licence))
    expect(without.map(([name]) => name)).toEqual([])
  })
})

describe('the bill of materials', () => {
  it('has the packages of the licences, each once, with its version, licence and checksum', async () => {
    const licences = await readFile('dist/THIRD-PARTY-LICENSES.txt', 'utf8')
    const bundled = [...licences.matchAll(/^=== (\S+) (\S+) ===$/gm)].map(([, name, version]) => `${name} ${version}`)
    const { components, metadata, dependencies, ...bill } = JSON.parse(await readFile('dist/sbom.cdx.json', 'utf8'))
    // What the schema of CycloneDX requires. Its own validator has no finding either.
    expect(bill).toEqual({
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
    })
    expect(components.map(({ name, version }: Component) => `${name} ${version}`)).toEqual(bundled)
    expect(bundled.length).toBeGreaterThan(10)
    for (const { name, version, ...component } of components as Component[])
      expect(component).toEqual({
        type: 'library',
        'bom-ref': component.purl,
        purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
        licenses: [expect.toSatisfy(isLicence)],
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      })
    const { name, version } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(metadata.component).toMatchObject({ type: 'application', name, version })
    const dependsOn = components.map(({ purl }: Component) => purl)
    expect(dependencies).toEqual([{ ref: metadata.component['bom-ref'], dependsOn }])
  })
})

interface Component {
  name: string
  version: string
  purl: string
}

/** An identifier of SPDX, or several in an expression. */
function isLicence(value: { license?: { id: string }; expression?: string }): boolean {
  const ids = value.license ? [value.license.id] : value.expression!.replace(/[()]/g, '').split(/ (?:OR|AND) /)
  return ids.every((id) => /^[A-Za-z0-9.-]+$/.test(id))
}
