vim9script

import './harness.vim'

# What the companion says of itself.
export const message = {port: 4711, env: {IDE_TEST_PORT: '4711'}, sessions: [{agent: 'Gemini CLI', connectedAt: 1}],
  diffs: [{id: '1', agent: 'Gemini CLI', filePath: '/a', openedAt: 1}], ahead: [], line: 'Gemini CLI (1)',
  sentence: 'Port 4711. Connected: Gemini CLI. Waiting for you: 1.'}

export def Tell(child: dict<any>, agent = 'Gemini CLI')
  harness.Start(child)
  const params = extend({sessions: [{agent: agent, connectedAt: 1}], line: agent .. ' (1)'}, message, 'keep')
  harness.SendToPlugin(child, {method: 'companion/status', params: params})
  harness.Until(child, 'ide_companion#Status().port == 4711')
enddef
