import { run } from 'setpoint'
import choices from './operator.ts'
await run([choices])
