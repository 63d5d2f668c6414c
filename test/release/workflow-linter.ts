import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { validate as Validate } from '@actions/languageservice'
import type { registerLogger as RegisterLogger } from '@actions/languageservice/log'
import { build } from 'esbuild'
import { TextDocument } from 'vscode-languageserver-textdocument'

/** GitHub's own linter of workflows. Returns a function that lists what it finds in one. */
export async function openWorkflowLinter(): Promise<(workflow: string) => Promise<string[]>> {
  const { validate, registerLogger } = await bundle()
  const ignore = () => {}
  const fail = (message: string) => {
    throw new Error(message)
  }
  // What fails inside of the linter would otherwise be no finding.
  registerLogger({ log: ignore, info: ignore, warn: ignore, error: fail })
  let documents = 0
  return async (workflow) => {
    // It remembers what it has found at an address.
    const address = `file:///${++documents}/.github/workflows/test.yml`
    return (await validate(TextDocument.create(address, 'yaml', 1, workflow))).map(({ message }) => String(message))
  }
}

/** It imports JSON as only bundlers do. */
async function bundle(): Promise<{ validate: typeof Validate; registerLogger: typeof RegisterLogger }> {
  const outfile = resolve('node_modules/.cache/studio/workflow-linter.cjs')
  const contents = ['', '/log'].map((path) => `export * from '@actions/languageservice${path}'`).join('\n')
  await build({ stdin: { contents, resolveDir: '.' }, bundle: true, platform: 'node', outfile, logLevel: 'error' })
  return import(pathToFileURL(outfile).href)
}
