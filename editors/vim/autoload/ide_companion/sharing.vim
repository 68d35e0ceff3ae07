vim9script
# Pauses sharing by the same command as in a shell, which applies to every companion of the project.

import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/process.vim'
import autoload 'ide_companion/roots.vim'
import autoload 'ide_companion/say.vim'

const done = {
  pause: 'Paused: agents receive no context. :IdeCompanion resume',
  resume: 'Resumed: agents receive your context again.',
}

def OnEnd(word: string, code: number, printed: list<string>)
  const text = join(printed, "\n")
  log.Add(text)
  if code == 0
    say.Info(done[word])
  else
    say.Error(text)
  endif
enddef

# `word` is pause or resume.
export def Switch(word: string)
  const program: list<string> = config.Options().cmd[: -2]
  var printed: list<string> = []
  var callbacks = process.AtEnd((code) => {
    OnEnd(word, code, printed)
  })
  job_start(program + [word], extend(callbacks, {
    cwd: roots.Current()[0],
    in_io: 'null',
    callback: (_, line) => {
      add(printed, line)
    },
  }))
enddef

defcompile
