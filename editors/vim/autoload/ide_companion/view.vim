vim9script
# The tab of a proposal. It opens in the background and changes nothing of the user's windows.
#
# A view is a dictionary with
#   proposed, base    windows; base is 0 in the unified layout, and when the user has closed it
#   from              the window that the user came from, or 0

import autoload 'ide_companion/comments.vim'
import autoload 'ide_companion/config.vim'
import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/label.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/tab_options.vim'
import autoload 'ide_companion/text.vim' as text_of
import autoload 'ide_companion/unified.vim'
import autoload 'ide_companion/windows.vim'

# In a larger text, highlighting takes too long, and so does drawing all changes with every edit.
const largest_drawn = 1024 * 1024

# The proposal that has the tab: the others wait until it is decided, or the user goes on to them. Empty when none has.
var current: dict<any> = {}

def IsShown(proposal: dict<any>): bool
  return !empty(get(proposal, 'view', {})) && windows.Shows(proposal.view.proposed, proposal.proposed)
enddef

# The windows that are open, also when they show another buffer.
def Windows(proposal: dict<any>): list<number>
  const view: dict<any> = get(proposal, 'view', {})
  return empty(view) ? [] : filter([view.base, view.proposed], (_, window) => windows.IsOpen(window))
enddef

# Whether the current tab shows it.
export def IsCurrent(proposal: dict<any>): bool
  return IsShown(proposal) && win_id2win(proposal.view.proposed) > 0
enddef

# Whether the user is in one of its windows, or in another window that shows a side of it.
def IsInIt(proposal: dict<any>): bool
  return index([proposal.base, proposal.proposed], bufnr()) >= 0
enddef

def OpenWindows(proposal: dict<any>, layout: string)
  const before = current
  if IsShown(before)
    win_gotoid(before.view.proposed)
  endif
  execute 'silent keepalt' (IsShown(before) ? 'aboveleft' : ':$tab') 'sbuffer' proposal.proposed
  proposal.view = {proposed: win_getid(), base: 0, from: before->get('view', {})->get('from', 0)}
  CloseRest(before)
  current = proposal
  win_gotoid(proposal.view.proposed)
  # An empty side would waste half of the screen.
  if layout != 'unified' && !empty(proposal.original)
    execute 'silent keepalt leftabove' (layout == 'vertical' ? 'vertical' : '') 'sbuffer' proposal.base
    proposal.view.base = win_getid()
    win_gotoid(proposal.view.proposed)
    wincmd =
  endif
enddef

# Sets the highlighting of the file, by its autocommands.
def SetFiletype(proposal: dict<any>)
  if len(proposal.newContent) > largest_drawn
    return
  endif
  const theirs = getbufvar(text_of.BufferOf(proposal.filePath), '&filetype')
  # In a command, a bar would end it.
  const path = proposal.filePath =~ '[|"[:cntrl:]]' ? '' : proposal.filePath
  const command = theirs != '' ? 'setlocal filetype=' .. theirs
    : exists('#filetypedetect#BufRead') ? 'doautocmd <nomodeline> filetypedetect BufRead ' .. path : ''
  for window in Windows(proposal)
    try
      win_execute(window, command)
    catch
      # A fault in a filetype plugin is no reason not to show the proposal.
      log.Add(printf('filetype of %s: %s', proposal.label, v:exception))
    endtry
  endfor
enddef

# Runs after the filetype, which may set folds.
def Compare(proposal: dict<any>)
  if Layout(proposal) == 'unified'
    unified.Attach(proposal)
  elseif proposal.view.base > 0
    for window in Windows(proposal)
      win_execute(window, 'noautocmd diffthis')
    endfor
  endif
  if !has_key(proposal, 'was_shown')
    proposal.was_shown = true # from now on its cursor is where the user has left it
    win_execute(proposal.view.proposed, printf('keepjumps call cursor(%d, 1)', get(proposal.hunks, 0, {line: 1}).line))
  endif
enddef

def SetKeys(proposal: dict<any>)
  const keys: dict<any> = config.Options().diff.keys
  for window in Windows(proposal)
    # `:x` writes only a modified buffer.
    win_execute(window, 'nnoremap <buffer> <silent> ZZ <Cmd>IdeCompanion accept<CR>')
    for [action, key] in items(keys)->filter((_, item) => type(item[1]) == v:t_string && item[1] != '')
      win_execute(window, printf('nnoremap <buffer> <silent> %s <Cmd>IdeCompanion %s<CR>', key, action))
      if action == 'comment'
        win_execute(window, printf('xnoremap <buffer> <silent> %s :IdeCompanion comment<CR>', key))
      endif
    endfor
  endfor
enddef

# The line above the windows has as many words as fit, and comments as many rows as they need.
def OnResized()
  if IsCurrent(current)
    timer_start(0, (_) => OnCompared(current))
  endif
enddef

augroup ide_companion_view
  autocmd WinResized,BufEnter * OnResized()
augroup END

# Closing its window rejects it, and so does closing the original from inside; `:only` does not, nor does CTRL-W T.
def WatchWindow(proposal: dict<any>, window: number)
  execute printf('autocmd ide_companion_view WinClosed %d ++once OnClosed(%d, %d)', window, proposal.serial, window)
enddef

def OnClosed(serial: number, window: number)
  var proposal = diff.BySerial(serial)
  const view: dict<any> = get(proposal, 'view', {})
  if empty(view)
    return
  endif
  if window == view.base && win_getid() != window
    proposal.view.base = 0
  elseif window == view.base || window == view.proposed
    const side = window == view.base ? 'base' : 'proposed'
    timer_start(0, (_) => {
      # It may have been closed or opened again meanwhile.
      if proposal.view is view
        FollowOrReject(proposal, side)
      endif
    })
  endif
enddef

# A side of it has lost its window. One that was moved has another.
def FollowOrReject(proposal: dict<any>, side: string)
  const window = get(win_findbuf(proposal[side]), 0)
  if window == 0
    diff.OnClosed(proposal)
    return
  endif
  proposal.view[side] = window
  WatchWindow(proposal, window)
  label.Set(proposal)
enddef

def Layout(proposal: dict<any>): string
  const layout = config.Options().diff.layout
  return layout == 'unified' && len(proposal.newContent) > largest_drawn ? 'vertical' : layout
enddef

# Closes its remaining windows, unless they show another buffer now.
def CloseRest(proposal: dict<any>)
  if empty(get(proposal, 'view', {}))
    return
  endif
  for [window, buffer] in [[proposal.view.base, proposal.base], [proposal.view.proposed, proposal.proposed]]
    if windows.Shows(window, buffer)
      win_execute(window, 'noautocmd close!')
    else
      Release(window)
    endif
  endfor
  proposal.view = {}
  current = current is proposal ? {} : current
enddef

# Turns the window into a plain window.
def Release(window: number)
  if windows.IsOpen(window)
    win_execute(window, 'diffoff')
    label.Clear(window)
  endif
enddef

# Shows it, unless it is shown.
export def Open(proposal: dict<any>)
  if IsShown(proposal)
    return
  endif
  CloseRest(proposal) # as after `:wq`
  windows.InBackground(() => {
    OpenWindows(proposal, Layout(proposal))
  })
  SetFiletype(proposal)
  Compare(proposal)
  label.Set(proposal)
  SetKeys(proposal)
  for window in Windows(proposal)
    WatchWindow(proposal, window)
  endfor
  tab_options.Watch()
  comments.Draw(proposal)
  redraw
  if config.Options().diff.focus
    quiet.When(quiet.IsIdle, () => {
      if !empty(diff.BySerial(proposal.serial))
        Enter(proposal)
      endif
    })
  endif
enddef

# Opens it when that disturbs no one, unless another one has the tab. Meanwhile it may be gone.
export def OpenWhenCalm(proposal: dict<any>)
  quiet.When(quiet.IsCalm, () => {
    if !IsShown(current) && !empty(diff.BySerial(proposal.serial))
      Open(proposal)
    endif
  })
enddef

export def Refresh(proposal: dict<any>)
  if !empty(proposal.view)
    label.Set(proposal)
  endif
enddef

# Its hunks are those of its text.
export def OnCompared(proposal: dict<any>)
  if IsShown(proposal)
    if Layout(proposal) == 'unified'
      unified.Draw(proposal)
    endif
    comments.Draw(proposal)
    label.Set(proposal)
  endif
enddef

# Shows that its texts have changed.
export def Redraw(proposal: dict<any>)
  OnCompared(proposal)
  if IsShown(proposal)
    win_execute(proposal.view.proposed, 'diffupdate')
  endif
enddef

# Goes to it.
export def Enter(proposal: dict<any>)
  const [window, is_here] = [win_getid(), IsCurrent(current)]
  Open(proposal)
  if !is_here
    proposal.view.from = window
  endif
  win_gotoid(proposal.view.proposed)
enddef

# A user who is in its windows returns to the previous window.
def Leave(proposal: dict<any>)
  try
    if windows.IsOpen(proposal.view.from)
      win_gotoid(proposal.view.from)
    elseif tabpagenr('#') > 0
      execute 'tabnext' tabpagenr('#')
    endif
  catch
    # An autocommand of the user that fails is no reason not to close it.
    log.Add(printf('leaving %s: %s', proposal.label, v:exception))
  endtry
enddef

# Whether the next key may belong to what the user types in it.
export def IsTypedIn(proposal: dict<any>): bool
  return mode(1) != 'n' && IsInIt(proposal)
enddef

# Lets the user type no more into it. Returns whether it may close: no key that is meant for it can reach another buffer.
def StopTyping(proposal: dict<any>): bool
  if !IsTypedIn(proposal)
    return true
  elseif mode(1) =~ "^\\%(ni\\|[iRvVsS\<C-V>\<C-S>]\\)"
    feedkeys("\<C-\>\<C-N>", 'n')
  endif
  return false
enddef

# Closes its windows as soon as that disturbs no one. Wipe must wipe its buffers.
export def Close(proposal: dict<any>, Wipe: func())
  quiet.When(() => StopTyping(proposal) && quiet.IsCalm(), () => {
    if IsInIt(proposal)
      Leave(proposal)
    endif
    # The last window stays open with another buffer.
    for window in Windows(proposal)
      Release(window)
    endfor
    Wipe()
    current = IsShown(current) ? current : {}
    tab_options.Update()
    # Now: a command that is typed before the screen has its rows again would end in a prompt.
    redraw
  })
enddef

defcompile
