import { addProgram } from '../program-in-path'
import { temporaryFolder } from '../temporary-folder'

/**
 * Puts a stand-in for the keychain program of the system in its place: it notes its arguments, and keeps what it reads. Returns the folder of
 * both. `before` is a shell command that it runs first.
 */
export function addKeychain(before = 'true'): string {
  const vault = temporaryFolder()
  const actions = [
    `store) cat > ${vault}/secret;;`,
    `lookup) [ -e ${vault}/secret ] && cat ${vault}/secret;;`,
    `clear) rm ${vault}/secret 2>/dev/null;;`,
  ]
  addProgram('secret-tool', `${before}\necho "$@" >> ${vault}/arguments\ncase $1 in ${actions.join(' ')} esac`)
  return vault
}
