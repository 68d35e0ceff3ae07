;;; ide-companion-history.el --- What was decided earlier  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Lists earlier decisions, shows each as a diff, takes an accepted change out
;; of its file, and puts your version of a change into it again.

;;; Code:

(require 'ide-companion-log)
(require 'ide-companion-evil)
(require 'ide-companion-rpc)
(require 'ide-companion-stored)
(require 'ide-companion-text)

(defvar ide-companion-history-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'ide-companion-history-diff)
    (define-key map "u" #'ide-companion-history-undo)
    (define-key map "p" #'ide-companion-history-reapply)
    map)
  "Keys in the list of earlier decisions.")

(define-derived-mode ide-companion-history-mode ide-companion-stored-mode "Decisions"
  "What you and your agents have decided, newest first."
  (setq-local revert-buffer-function (lambda (&rest _) (ide-companion-history)))
  (ide-companion--evil-list-keys ide-companion-history-mode-map))

;;;###autoload
(defun ide-companion-history ()
  "List what was decided about files of the open folders.
In the list you see each as a diff, take an accepted change out of its
file, and put your version of a change into it again."
  (interactive)
  (ide-companion--list-stored "*ide-companion history*" 'ide-companion-history-mode
                              (ide-companion--fetch-stored :companion/history :decisions)
                              "RET shows the change, u takes it out of its file, p puts your version in"
                              "Nothing has been decided here yet"))

(defun ide-companion--decision-here ()
  "The decision at point."
  (ide-companion--stored-here "decisions"))

(defun ide-companion-history-diff ()
  "Show the change at point, with what you typed into it."
  (interactive)
  (let* ((decision (ide-companion--fetch :companion/readDecision
                                         (list :id (plist-get (ide-companion--decision-here) :id))))
         (label (plist-get decision :label))
         (path (ide-companion--local-name (plist-get decision :filePath))))
    (diff-buffers (ide-companion--text-buffer (format "*before: %s*" label)
                                              path (or (plist-get decision :before) ""))
                  (ide-companion--text-buffer (format "*after: %s*" label)
                                              path (plist-get decision :after)))))

(defun ide-companion--rewrite (kind what)
  "Let the program change the file of the decision at point, by KIND.
The new text is in the buffer of the file, unsaved.  WHAT names it."
  (let* ((decision (ide-companion--decision-here))
         (answer (ide-companion--fetch :companion/rewriteFile
                                       (list :id (plist-get decision :id) :kind kind)))
         (path (ide-companion--local-name (plist-get answer :filePath))))
    (when (plist-get answer :reason) (user-error "%s" (plist-get answer :reason)))
    (let ((file (ide-companion--visit path)))
      (when (buffer-modified-p file)
        (user-error "%s has unsaved edits: save them first" (buffer-name file)))
      (ide-companion--replace-text
       file (ide-companion--text-buffer (format "*new: %s*" (plist-get decision :label))
                                        path (plist-get answer :content)))
      (ide-companion--say "Save %s to keep %s, or undo to go back" (buffer-name file) what))))

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

(provide 'ide-companion-history)
;;; ide-companion-history.el ends here
