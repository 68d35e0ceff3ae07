vim9script
# :IdeCompanion doctor: shows what is missing, and the remedy.

import autoload 'ide_companion/agents.vim'
import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/removed.vim'
import autoload 'ide_companion/roots.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/text.vim' as text_of

def Ok(text: string): list<string>
  return ['  ok       ' .. text]
enddef

def Note(text: string): list<string>
  return ['  note     ' .. text]
enddef

def Bad(text: string, remedies: list<string>): list<string>
  return ['  MISSING  ' .. text] + mapnew(remedies, (_, remedy) => '             ' .. remedy)
enddef

def OfVim(): list<string>
  const version = printf('Vim %d.%d.%d', v:version / 100, v:version % 100, v:versionlong % 10000)
  const absent = filter(['channel', 'job', 'timers'], (_, feature) => !has(feature))
  var lines = empty(absent) ? Ok(version .. ' is new enough')
    : Bad(version .. ' is built without +' .. join(absent, ' +'), ['Use a full build, as vim-nox or vim-gtk3 of Debian'])
  if !has('terminal')
    lines += Note('without +terminal there is no :IdeCompanion run; use ide-companion run in another terminal')
  endif
  if !removed.IsPossible()
    lines += Note('the unified layout needs Vim 9.0.1378; the vertical one is used instead')
  endif
  if &encoding != 'utf-8'
    lines += Note("'encoding' is " .. &encoding .. ': proposals with other than ASCII open in the browser')
  endif
  return lines
enddef

def OfOptions(): list<string>
  try
    return Ok('g:ide_companion') + OfCommand(config.Options().cmd)
  catch /^ide-companion: /
    return Bad(strpart(v:exception, len('ide-companion: ')), [':help ide-companion-options'])
      + OfCommand(['ide-companion', 'lsp'])
  endtry
  return []
enddef

def OfCommand(cmd: list<string>): list<string>
  if !executable(cmd[0])
    return Bad(cmd[0] .. ' is not in your PATH', [
      'Install it: npm install --global ide-companion',
      "Or name it: let g:ide_companion = {'cmd': ['/path/to/ide-companion', 'lsp']}",
    ])
  endif
  const version = trim(system(join(mapnew(cmd[: -2] + ['--version'], (_, word) => shellescape(word)))))
  if v:shell_error == 0
    return Ok(exepath(cmd[0]) .. ' is version ' .. version)
  endif
  const node = executable('node') ? trim(system('node --version')) : 'missing'
  return Bad(cmd[0] .. ' does not run', split(version, "\n") + ['It needs Node 20.19 or newer; yours is ' .. node])
enddef

def OfServer(): list<string>
  const now = status.Get()
  if now.port == 0
    return Bad('the companion is not running', [
      'Start it: :IdeCompanion start',
      'Why it has ended: :IdeCompanion log',
    ])
  endif
  var lines = Ok('the companion listens on port ' .. now.port)
    + Ok('agents find it in ' .. join(roots.Current(), ', '))
    + mapnew(now.sessions, (_, session) => Ok(session.agent .. ' is connected')[0])
  if empty(now.sessions)
    lines += Note('no agent is connected yet: connect one by its command /ide, or start one here by :IdeCompanion run')
  endif
  if !empty(now.diffs)
    lines += Note(printf('proposals that wait for you: %d (:IdeCompanion diff)', len(now.diffs)))
  endif
  return lines
enddef

def OfAgents(): list<string>
  var lines: list<string> = []
  for agent in agents.All()
    lines += executable(agent.command) ? Ok(agent.displayName .. ' is installed')
      : Note(printf('%s is not installed: there is no %s in your PATH', agent.displayName, agent.command))
  endfor
  return lines
enddef

export def Report(): list<string>
  return ['ide-companion', ''] + OfVim() + OfOptions() + OfServer() + OfAgents()
enddef

export def Show()
  log.ShowText(text_of.FreeName('ide-companion doctor', ''), Report())
  syntax match Error /^  \zsMISSING/
  syntax match Title /\%1l.*/
  syntax match Todo /^  \zsnote/
  syntax match Type /^  \zsok/
enddef
