vim9script
# Where a proposal is seen: a tab of its own, opened behind the user's back and without touching anything of theirs.
#
# A view is a dictionary with
#   proposed, base    windows; base is 0 in the unified layout
#   from              the window that the user came from, or 0

import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/label.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/unified.vim'

def IsOpen(window: number): bool
  return window > 0 && win_id2tabwin(window) != [0, 0]
enddef

# Those that are open.
def Windows(proposal: dict<any>): list<number>
  return empty(proposal.view) ? [] : filter([proposal.view.base, proposal.view.proposed], (_, id) => IsOpen(id))
enddef

# Whether it is in the current tab.
export def IsCurrent(proposal: dict<any>): bool
  return Windows(proposal)->filter((_, window) => win_id2win(window) > 0)->len() > 0
enddef

def IsInIt(proposal: dict<any>): bool
  return index(Windows(proposal), win_getid()) >= 0
enddef

# The windows in a tab of their own, and back to where the user is: also what they have visited last stays so.
def OpenWindows(proposal: dict<any>, layout: string)
  const window = win_getid()
  const last_tab = tabpagenr('#')
  try
    execute 'silent keepalt :$tab sbuffer' proposal.proposed
    proposal.view = {proposed: win_getid(), base: 0, from: 0}
    if layout != 'unified'
      execute 'silent keepalt leftabove' (layout == 'vertical' ? 'vertical' : '') 'sbuffer' proposal.base
      proposal.view.base = win_getid()
      win_gotoid(proposal.view.proposed)
      wincmd =
    endif
  finally
    if last_tab > 0
      execute 'tabnext' last_tab
    endif
    win_gotoid(window)
  endtry
enddef

# Highlighting as in the file; with autocommands, which is how it comes about.
def SetFiletype(proposal: dict<any>)
  const theirs = getbufvar(bufnr('^' .. escape(proposal.filePath, '\*?[]{},') .. '$'), '&filetype')
  const command = theirs != '' ? 'setlocal filetype=' .. theirs
    : exists('#filetypedetect#BufRead') ? 'doautocmd <nomodeline> filetypedetect BufRead' : ''
  for window in Windows(proposal)
    try
      win_execute(window, command)
    catch
      # A fault in a filetype plugin is no reason not to show the proposal.
      log.Add(printf('filetype of %s: %s', proposal.label, v:exception))
    endtry
  endfor
enddef

# After the filetype, which may have ideas of its own about folds.
def Compare(proposal: dict<any>)
  if proposal.view.base == 0
    unified.Attach(proposal)
    return
  endif
  for window in Windows(proposal)
    win_execute(window, 'noautocmd diffthis')
  endfor
  win_execute(proposal.view.proposed, 'ide_companion#view#ToFirstChange()')
enddef

# What the user wants to see first. Not by `:normal`: after that, Vim would not tell when it is safe to show the next.
export def ToFirstChange()
  for line in range(1, line('$'))
    if diff_hlID(line, 1) > 0 || diff_filler(line) > 0
      cursor(line, 1)
      return
    endif
  endfor
enddef

def SetKeys(proposal: dict<any>)
  for [action, key] in items(config.Options().diff.keys)
    if type(key) == v:t_string && key != ''
      for window in Windows(proposal)
        win_execute(window, printf('nnoremap <buffer> <silent> %s <Cmd>IdeCompanion %s<CR>', key, action))
      endfor
    endif
  endfor
enddef

# Closing one of its windows is a decision.
def WatchWindows(proposal: dict<any>)
  augroup ide_companion_diff
    for window in Windows(proposal)
      execute printf('autocmd WinClosed %d ++once OnClosed(%d, %d)', window, proposal.serial, window)
    endfor
  augroup END
enddef

def OnClosed(serial: number, window: number)
  timer_start(0, (_) => {
    diff.OnWindowGone(serial, window)
  })
enddef

def Layout(): string
  const layout = config.Options().diff.layout
  return layout == 'unified' && !unified.IsPossible() ? 'vertical' : layout
enddef

# Shows it, unless it is shown.
export def Open(proposal: dict<any>)
  if !empty(proposal.view) && IsOpen(proposal.view.proposed)
    return
  endif
  for window in Windows(proposal)
    win_execute(window, 'noautocmd close!') # what is left of it, as after `:wq`
  endfor
  noautocmd OpenWindows(proposal, Layout())
  SetFiletype(proposal)
  Compare(proposal)
  label.Set(proposal)
  SetKeys(proposal)
  WatchWindows(proposal)
  redraw
  if config.Options().diff.focus
    Enter(proposal)
  endif
enddef

export def Refresh(proposal: dict<any>)
  if !empty(proposal.view)
    label.Set(proposal)
  endif
enddef

# Goes to it.
export def Enter(proposal: dict<any>)
  Open(proposal)
  if !IsCurrent(proposal)
    proposal.view.from = win_getid()
  endif
  win_gotoid(proposal.view.proposed)
enddef

# Sends who is in it back to where they came from.
def Leave(proposal: dict<any>)
  if IsOpen(proposal.view.from)
    win_gotoid(proposal.view.from)
  elseif tabpagenr('#') > 0
    execute 'tabnext' tabpagenr('#')
  endif
enddef

# What is typed into it must not go on into something else.
def StopTyping()
  if mode() =~ "[iRvVsS\<C-V>\<C-S>]"
    feedkeys("\<C-\>\<C-N>", 'n')
  endif
enddef

# Closes its windows, as soon as nobody is disturbed by that. Wipe must wipe its buffers.
export def Close(proposal: dict<any>, Wipe: func())
  if IsInIt(proposal)
    StopTyping()
  endif
  quiet.When(() => quiet.IsCalm() && (mode(1) == 'n' || !IsInIt(proposal)), () => {
    if IsInIt(proposal)
      Leave(proposal)
    endif
    for window in Windows(proposal)
      # If it is the last one of all it stays, with something else in it.
      win_execute(window, 'diffoff')
      label.Clear(window)
    endfor
    Wipe()
    # Now: a command that is typed before the screen has its rows again would end in a prompt.
    redraw
  })
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
