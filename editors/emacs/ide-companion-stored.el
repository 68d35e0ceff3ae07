;;; ide-companion-stored.el --- Lists of what the program stores  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Recovered edits are text that the user typed in a proposal and that its file
;; does not hold.  The program stores them, and comments that no agent has
;; received, until the user discards them.  It stores as well what was decided.

;;; Code:

(require 'seq)
(require 'ide-companion-evil)
(require 'ide-companion-hunks)
(require 'ide-companion-log)
(require 'ide-companion-roots)
(require 'ide-companion-rpc)
(require 'ide-companion-text)
(require 'ide-companion-windows)

(autoload 'ide-companion--ediff-buffers "ide-companion-ediff")

(define-derived-mode ide-companion-stored-mode tabulated-list-mode "Stored"
  "A list of what the program stores."
  (setq tabulated-list-format [("File" 18 t) ("When" 11 t) ("Why" 34 t) ("Agent" 0 t)]
        tabulated-list-padding 1)
  (tabulated-list-init-header))

(defun ide-companion--rows (answer)
  "The one array in ANSWER, of property lists, as a list."
  (append (seq-find #'vectorp answer) nil))

(defun ide-companion--stored-entry (stored)
  "STORED, a property list of the program, as a line of the list."
  (list stored (vector (ide-companion--short (plist-get stored :label) 18)
                       (format-time-string "%m-%d %R" (/ (plist-get stored :at) 1000))
                       (or (plist-get stored :reason) (plist-get stored :text))
                       (plist-get stored :agent))))

(defun ide-companion--stored-buffer (command actions)
  "The buffer of the list of COMMAND, with ACTIONS.
Each is a list of a key, a function, and what that does, for people."
  (let ((name (format "*%s*" (string-replace "companion-" "companion " (symbol-name command)))))
    (or (get-buffer name)
        (with-current-buffer (get-buffer-create name)
          (ide-companion-stored-mode)
          (let ((map (make-sparse-keymap)))
            (pcase-dolist (`(,key ,function ,_) actions)
              (define-key map (kbd key) function))
            (ide-companion--evil-list-keys map)
            (set-keymap-parent map ide-companion-stored-mode-map)
            (use-local-map map))
          (setq-local revert-buffer-function (lambda (&rest _) (funcall command)))
          (current-buffer)))))

(defun ide-companion--list-stored (command method none actions)
  "Show what the program answers to METHOD, as a list for COMMAND with ACTIONS.
When there is nothing, close that list, with the message NONE."
  (let ((list (ide-companion--rows (ide-companion--fetch method (make-hash-table))))
        (buffer (ide-companion--stored-buffer command actions)))
    (with-current-buffer buffer
      (setq tabulated-list-entries (mapcar #'ide-companion--stored-entry list))
      (tabulated-list-print t))
    (cond
     (list
      (ide-companion--pop-to-list buffer)
      (ide-companion--say "%s" (mapconcat (lambda (action) (format "%s %s" (car action) (nth 2 action)))
                                          actions ", ")))
     (t
      (ide-companion--say "%s" none)
      (when (get-buffer-window buffer) (quit-windows-on buffer t))))))

(defun ide-companion--stored-here ()
  "What is stored at point."
  (or (tabulated-list-get-id) (user-error "There is nothing here")))

(defun ide-companion--fetch-here (method &rest more)
  "The answer to METHOD about what is at point, with MORE parameters."
  (ide-companion--fetch method (append (list :id (plist-get (ide-companion--stored-here) :id)) more)))

(defun ide-companion--discard-here (what method)
  "Forget by METHOD what is at point, after a question about WHAT."
  (when (yes-or-no-p (format "Discard your %s %s for good? " what
                             (plist-get (ide-companion--stored-here) :label)))
    (ide-companion--fetch-here method)
    (revert-buffer)))

(defun ide-companion--stored-file (stored)
  "The buffer of the file of STORED."
  (ide-companion--visit (ide-companion--local-name (plist-get stored :filePath))))

(defun ide-companion--put-into (file text)
  "Put TEXT into FILE, a buffer, unsaved."
  (pop-to-buffer file)
  (barf-if-buffer-read-only)
  ;; The text is that of the whole file, and the user sees and undoes all of it.
  (widen)
  (ide-companion--replace-contents file text)
  (set-buffer-modified-p t))

(defun ide-companion--show-text (name mode text)
  "Show TEXT in the read-only buffer NAME, which is in MODE."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (funcall mode)
      (ide-companion--show-direction-controls)
      (setq buffer-read-only t)
      (goto-char (point-min)))
    (display-buffer (current-buffer))))

(defun ide-companion--run-diff (old new &rest options)
  "What diff prints with OPTIONS for OLD and NEW; nil without the program."
  (let ((program (or (bound-and-true-p diff-command) "diff")))
    (when (executable-find program)
      (let ((file (make-temp-file "ide-companion-"))
            (default-directory temporary-file-directory)
            (coding-system-for-write 'utf-8-emacs-unix)
            (coding-system-for-read 'utf-8-emacs-unix)
            (process-environment (cons "LC_ALL=C" process-environment)))
        (unwind-protect
            (with-temp-buffer
              (write-region old nil file nil 'silent)
              (when (memq (apply #'call-process-region new nil program nil t nil "-a"
                                   (append options (list file "-")))
                            '(0 1))
                (buffer-string)))
          (delete-file file))))))

(defun ide-companion--show-diff (stored old new)
  "Show how the text NEW differs from OLD, for the file of STORED."
  (let* ((path (plist-get stored :filePath))
         (text (or (ide-companion--run-diff old new "-u" "--label" (concat path "\tbefore")
                                            "--label" (concat path "\tafter"))
                   (user-error "There is no diff in `exec-path'"))))
    (ide-companion--show-text "*ide-companion diff*" #'diff-mode
                              (if (string-empty-p text) "There is no difference.\n" text))))

(defun ide-companion--announce-stored (method format)
  "Show in FORMAT which files of the open folders are in the answer to METHOD."
  (ide-companion--ask
   method (make-hash-table)
   (lambda (answer _)
     (let ((own (ide-companion--filter
                 (lambda (stored)
                   (ide-companion--filter
                    (lambda (root) (string-prefix-p (file-name-as-directory root) (plist-get stored :filePath)))
                    ide-companion--roots))
                 (ide-companion--rows answer))))
       (when own
         (ide-companion--say format (if (cdr own) (format "%d proposals" (length own))
                                      (plist-get (car own) :label))))))))

;;; Recovered edits

(defun ide-companion--recovered (params)
  "`companion/editsRecovered' with PARAMS: show how to reach them."
  (ide-companion--say "Your edits of %s are not in the file: %s  M-x ide-companion-edits lists them"
                      (plist-get params :label) (plist-get params :reason)))

;;;###autoload
(defun ide-companion-edits ()
  "List recovered edits: text that you typed in proposals and that is in no file.
In the list you compare them with the file, restore or discard them."
  (interactive)
  (ide-companion--list-stored #'ide-companion-edits :companion/edits "There are no recovered edits"
                              '(("RET" ide-companion-edits-diff "compares with the file")
                                ("e" ide-companion-edits-ediff "by Ediff")
                                ("r" ide-companion-edits-restore "restores")
                                ("D" ide-companion-edits-discard "discards"))))

(defun ide-companion--edits-text ()
  "The text of the edits at point."
  (plist-get (ide-companion--fetch-here :companion/readEdits) :content))

(defun ide-companion-edits-diff ()
  "Show how the edits at point differ from their file."
  (interactive)
  (let ((edits (ide-companion--stored-here)))
    (ide-companion--show-diff edits (ide-companion--get-text (ide-companion--stored-file edits))
                              (ide-companion--edits-text))))

(defun ide-companion-edits-ediff ()
  "Compare the edits at point with their file by Ediff."
  (interactive)
  (let ((edits (ide-companion--stored-here))
        (text (ide-companion--edits-text)))
    (with-current-buffer (get-buffer-create (format "*edits: %s*" (plist-get edits :label)))
      (ide-companion--put-text text)
      (ide-companion--set-mode (ide-companion--local-name (plist-get edits :filePath)))
      (ide-companion--show-direction-controls)
      (ide-companion--ediff-buffers (ide-companion--stored-file edits) (current-buffer)))))

(defun ide-companion-edits-restore ()
  "Put the edits at point into the buffer of their file, which you then save.
They leave the list when the file holds them."
  (interactive)
  (let ((file (ide-companion--stored-file (ide-companion--stored-here)))
        (text (ide-companion--edits-text)))
    (when (or (not (buffer-modified-p file))
              (y-or-n-p (format "%s has unsaved edits; replace them? " (buffer-name file))))
      (ide-companion--put-into file text)
      (ide-companion--say "Restored: save %s, or undo to go back" (buffer-name file)))))

(defun ide-companion-edits-discard ()
  "Forget the edits at point for good."
  (interactive)
  (ide-companion--discard-here "edits of" :companion/discardEdits))

;;; What was decided

;;;###autoload
(defun ide-companion-history ()
  "List what was decided about files of the open folders.
In the list you see each as a diff, take an accepted change out of its
file, and put your version of a change into it again."
  (interactive)
  (ide-companion--list-stored #'ide-companion-history :companion/history
                              "Nothing has been decided here yet"
                              '(("RET" ide-companion-history-diff "shows the change")
                                ("u" ide-companion-history-undo "takes it out of its file")
                                ("p" ide-companion-history-reapply "puts your version in"))))

(defun ide-companion-history-diff ()
  "Show the change at point, with what you typed into it."
  (interactive)
  (let ((decision (ide-companion--fetch-here :companion/readDecision)))
    (ide-companion--show-diff decision (or (plist-get decision :before) "") (plist-get decision :after))))

(defun ide-companion--rewrite (kind what)
  "Let the program change the file of the decision at point, by KIND.
The new text is in the buffer of the file, unsaved.  WHAT names it."
  (let* ((answer (ide-companion--fetch-here :companion/rewriteFile :kind kind))
         (reason (plist-get answer :reason))
         (file (if reason (user-error "%s" reason) (ide-companion--stored-file answer))))
    (when (buffer-modified-p file)
      (user-error "%s has unsaved edits: save them first" (buffer-name file)))
    (ide-companion--put-into file (plist-get answer :content))
    (ide-companion--say "Save %s to keep %s, or undo to go back" (buffer-name file) what)))

(defun ide-companion-history-undo ()
  "Take the accepted change at point out of its file, which you then save.
What has changed in the file since stays."
  (interactive)
  (ide-companion--rewrite "undo" "it without the change"))

(defun ide-companion-history-reapply ()
  "Put your version of the change at point into its file, which you then save.
What has changed in the file since stays."
  (interactive)
  (ide-companion--rewrite "reapply" "your version"))

;;; Comments that no agent has received

(defun ide-companion--copy-comments (waiting)
  "Copy the message of WAITING, and say so."
  (ide-companion--say "Your comments on %s are %s: paste them into %s"
                      (plist-get waiting :label)
                      (ide-companion--copy (plist-get waiting :message))
                      (plist-get waiting :agent)))

(defun ide-companion--say-in-prompt (agent)
  "Say that the comments are in the prompt of AGENT."
  (ide-companion--say "Your comments are in the prompt of %s: press Enter there" agent))

(defun ide-companion--comments-delivered (params)
  "`companion/commentsDelivered' with PARAMS."
  (when (equal (plist-get params :by) "prompt")
    (ide-companion--say-in-prompt (plist-get params :agent))))

(defun ide-companion--comments-recovered (params)
  "`companion/commentsRecovered' with PARAMS."
  (if (eq t (plist-get params :wasSent))
      (ide-companion--copy-comments params)
    (ide-companion--say "Your comments on %s wait: %s  M-x ide-companion-comments lists them"
                        (plist-get params :label) (plist-get params :reason))))

;;;###autoload
(defun ide-companion-comments ()
  "List your comments on proposals that no agent has received.
In the list you read, send, copy or discard them."
  (interactive)
  (ide-companion--list-stored #'ide-companion-comments :companion/waitingComments "No comments wait"
                              '(("RET" ide-companion-comments-read "shows them")
                                ("s" ide-companion-comments-send "puts them into the agent's prompt")
                                ("w" ide-companion-comments-copy "copies")
                                ("D" ide-companion-comments-discard "discards"))))

(defun ide-companion-comments-read ()
  "Show the comments at point as the agent would receive them."
  (interactive)
  (ide-companion--show-text "*ide-companion message*" #'special-mode
                            (plist-get (ide-companion--stored-here) :message)))

(defun ide-companion-comments-send ()
  "Put the comments at point into the prompt of an agent, or else copy them."
  (interactive)
  (let* ((waiting (ide-companion--stored-here))
         (agent (plist-get (ide-companion--fetch-here :companion/sendComments) :agent)))
    (if (not agent)
        (ide-companion--copy-comments waiting)
      (ide-companion-comments)
      (ide-companion--say-in-prompt agent))))

(defun ide-companion-comments-copy ()
  "Copy the comments at point, as one message for an agent."
  (interactive)
  (ide-companion--copy-comments (ide-companion--stored-here)))

(defun ide-companion-comments-discard ()
  "Forget the comments at point for good."
  (interactive)
  (ide-companion--discard-here "comments on" :companion/discardComments))

(provide 'ide-companion-stored)
;;; ide-companion-stored.el ends here
