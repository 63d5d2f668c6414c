import { join } from 'node:path'
import { temporaryFolder } from '../../temporary-folder'
import { openDesk } from '../desk'
import { describeIndexes } from '../indexes-behaviour'

describeIndexes({ where: 'in memory', kept: 'memory' }, () => openDesk(null))
describeIndexes({ where: 'in files', kept: 'files' }, () => openDesk(join(temporaryFolder(), 'studio.db')))
describeIndexes({ where: 'of a file, in memory', kept: 'memory' }, () =>
  openDesk(join(temporaryFolder(), 'studio.db'), { inFiles: false }),
)
