// `npm run cluster:fresh`: writes the objects of a fresh cluster as the server's own code stores
// them. Needed after a change of stored forms or of managedFields; a test fails when it is.
import { freshClusterText } from './fresh-cluster.ts'
import { writeModule } from './write-module.ts'

writeModule('fresh-cluster', 'freshClusterText', freshClusterText())
