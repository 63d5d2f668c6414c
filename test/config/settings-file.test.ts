import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettingsFile } from '../../src/config/services/load-settings'
import { temporaryFolder } from '../temporary-folder'

describe('a settings file that is refused', () => {
  it.each([
    ['{"tenant": 5}', 'tenant: must be text.'],
    ['{"user": ""}', 'user: must have at least 1 characters.'],
    ['{"llm": {"api": "other"}}', 'llm.api: must be ollama or openai.'],
    ['{"serve": {"port": "x"}}', 'serve.port: must be a number.'],
    ['{"tracker": {"token": "hidden"}}', 'tracker.token: is not a setting.'],
    ['{"tracker": {"url": "ftp://t"}}', 'tracker.url: must be an http or https address.'],
    ['[]', 'must be an object.'],
  ])('says of %s what is wrong with it', (content, said) => {
    const path = join(temporaryFolder(), 'config.json')
    writeFileSync(path, content)
    expect(() => readSettingsFile(path)).toThrow(expect.objectContaining({ message: `${path}: ${said}` }))
  })
})
