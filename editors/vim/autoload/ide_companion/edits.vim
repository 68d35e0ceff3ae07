vim9script
# Recovered edits: text that the user typed in proposals and that is in no file. The companion stores them until their
# file holds them or the user discards them.

import autoload 'ide_companion/label.vim' as bar
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/text.vim'
import autoload 'ide_companion/windows.vim'

# The open comparison: { edits, on_disk, mine }, the last two its windows.
var view: dict<any> = {}

# `companion/editsRecovered`
export def Recovered(params: dict<any>)
  say.Warn(printf(':IdeCompanion edits   Your text is not in %s: %s', params.label, params.reason))
enddef

# Shows at the start that this project has recovered edits.
export def Announce()
  stored.Announce('companion/edits', 'edits', Recovered, ':IdeCompanion edits   %d texts of yours are not in their files')
enddef

export def Close()
  for window in [view.on_disk, view.mine]
    if windows.IsOpen(window)
      win_execute(window, 'silent! close')
    endif
  endfor
enddef

# Puts the text into the buffer of its file, as one unsaved change.
export def Restore()
  Close()
  execute 'hide edit' fnameescape(view.edits.filePath)
  text.Replace(view.edits.content)
  say.Info(':w saves your text, u undoes that: ' .. view.edits.label)
enddef

export def Discard()
  const edits = view.edits
  if confirm(printf('Discard your text for %s for good?', edits.label), "&Discard\n&Cancel", 2) == 1
    stored.Request('companion/discardEdits', {id: edits.id}, (_) => {
      Close()
      say.Info(printf('Discarded: %s.', edits.label))
    })
  endif
enddef

# Shows one side of the comparison in a new window, and returns that.
def Side(command: string, whose: string, edits: dict<any>, content: string): number
  execute 'silent keepalt' command text.NewBuffer(whose, edits.label, content)
  windows.ForgetOptions()
  setlocal bufhidden=wipe nomodifiable
  diffthis
  nnoremap <buffer> <nowait> r <Cmd>call ide_companion#edits#Restore()<CR>
  nnoremap <buffer> <nowait> d <Cmd>call ide_companion#edits#Discard()<CR>
  nnoremap <buffer> <nowait> q <Cmd>call ide_companion#edits#Close()<CR>
  return win_getid()
enddef

# Opens a tab with the file on disk next to the text.
def Compare(edits: dict<any>)
  const path: string = edits.filePath
  const content = filereadable(path) ? readfile(path, 'b')->join("\n") : ''
  view = {edits: edits}
  view.mine = Side('tab sbuffer', 'Your text', edits, edits.content)
  view.on_disk = Side('leftabove vertical sbuffer', 'On disk', edits, content)
  win_gotoid(view.mine)
  wincmd =
  bar.SetTexts(view.on_disk, [edits.label .. ' on disk'])
  bar.SetTexts(view.mine, ['r restores', 'd discards', 'q closes'])
  say.Info(edits.reason)
enddef

def Open(edits: dict<any>)
  stored.Request('companion/readEdits', {id: edits.id}, (result) => {
    Compare(result)
  })
enddef

# Lists them, and compares the chosen one with its file.
export def Show()
  stored.Request('companion/edits', {}, (result) => {
    stored.Choose(result.edits, 'Recovered edits', 'There are no recovered edits.', Open)
  })
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
