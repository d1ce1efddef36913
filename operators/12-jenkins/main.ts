import { run } from 'setpoint'
import jenkinses from './operator.ts'
await run([jenkinses])
