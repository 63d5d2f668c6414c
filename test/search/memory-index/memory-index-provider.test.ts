import { join } from 'node:path'
import { openDesk, temporaryHome } from '../desk'
import { describeIndexes } from '../indexes-behaviour'

describeIndexes({ where: 'in memory', kept: 'memory' }, () => openDesk(null))
describeIndexes({ where: 'in files', kept: 'files' }, () => openDesk(join(temporaryHome(), 'studio.db')))
describeIndexes({ where: 'of a file, in memory', kept: 'memory' }, () =>
  openDesk(join(temporaryHome(), 'studio.db'), { inFiles: false }),
)
