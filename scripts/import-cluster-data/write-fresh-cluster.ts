// `npm run cluster:fresh`: writes the objects of a fresh cluster as the server's own code stores them.
// Needed after a change of how objects are stored or owned; a test says when.
import { freshClusterText } from './fresh-cluster.ts'
import { writeModule } from './write-module.ts'

writeModule('fresh-cluster', 'freshClusterText', freshClusterText())
