import { run } from 'setpoint'
import releases from './operator.ts'
await run([releases])
