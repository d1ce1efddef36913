import { run } from 'setpoint'
import drills from './operator.ts'
await run([drills])
