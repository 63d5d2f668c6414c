import { expect, it } from 'vitest'
import { isShare } from '../../../src/storage/embedded/engine/require-safe-folder'

it.each([
  ['\\\\files\\home\\ana', true],
  ['//files/home', true],
  ['\\\\wsl.localhost\\Debian\\home', true],
  ['\\\\?\\UNC\\files\\home', true],
  ['\\\\?\\C:\\Users\\Ana', false],
  ['\\\\.\\D:\\data', false],
  ['C:\\Users\\Ana', false],
  ['\\Users\\Ana', false],
])('a path of Windows is one of a network share or not: %s', (path, expected) => expect(isShare(path)).toBe(expected))
