// `npm run generate:docs`: writes the parts of the documentation that are generated from the
// sources.
import { writeFileSync } from 'node:fs'
import { commands } from '../packages/cli/src/commands/index.ts'
import { cliReference } from './cli-reference.ts'

writeFileSync(new URL('../docs/reference/cli.md', import.meta.url), cliReference(commands))
