vim9script
# :IdeCompanion doctor: shows what is missing here, and what `ide-companion doctor` says of the agents.

import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/log.vim'
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
  const absent = filter(['channel', 'job', 'timers', 'textprop', 'signs'], (_, feature) => !has(feature))
  var lines = empty(absent) ? Ok(version .. ' is new enough')
    : Bad(version .. ' is built without +' .. join(absent, ' +'), ['Use a full build, as vim-nox or vim-gtk3 of Debian'])
  if !has('terminal')
    lines += Note('without +terminal there is no :IdeCompanion run; use ide-companion run in another terminal')
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

# The output of the server's program with other words behind its name. v:shell_error is whether it has failed.
def OutputOf(cmd: list<string>, word: string): list<string>
  return systemlist(join(mapnew(cmd[: -2] + [word], (_, each) => shellescape(each))))
enddef

def OfCommand(cmd: list<string>): list<string>
  if !executable(cmd[0])
    return Bad(cmd[0] .. ' is not in your PATH', [
      'Install it: npm install --global ide-companion',
      "Or name it: let g:ide_companion = {'cmd': ['/path/to/ide-companion', 'lsp']}",
    ])
  endif
  const version = OutputOf(cmd, '--version')
  if v:shell_error == 0
    return Ok(exepath(cmd[0]) .. ' is version ' .. join(version)) + [''] + OutputOf(cmd, 'doctor')
  endif
  const node = executable('node') ? trim(system('node --version')) : 'missing'
  return Bad(cmd[0] .. ' does not run', version + ['It needs Node 20.19 or newer; yours is ' .. node])
enddef

def OfServer(): list<string>
  const now = status.Get()
  return now.port > 0 ? Ok(now.sentence) : Bad('the companion is not running', [
    'Start it: :IdeCompanion start',
    'Why it has ended: :IdeCompanion log',
  ])
enddef

export def Report(): list<string>
  return ['ide-companion', ''] + OfVim() + OfServer() + OfOptions()
enddef

export def Show()
  log.ShowText(text_of.FreeName('ide-companion doctor', ''), Report())
  syntax match Error /^  \zsMISSING/
  syntax match Title /\%1l.*/
  syntax match Todo /^  \zsnote/
  syntax match Type /^  \zsok/
enddef
