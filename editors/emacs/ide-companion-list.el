;;; ide-companion-list.el --- All proposals that wait  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The list of proposals, and decisions about several of them at once.

;;; Code:

(eval-when-compile
  (require 'subr-x))
(require 'ide-companion-decision)
(require 'ide-companion-evil)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-status)
(require 'ide-companion-windows)

(defvar ide-companion-proposals-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'ide-companion-proposals-visit)
    (define-key map "m" #'ide-companion-proposals-mark)
    (define-key map "u" #'ide-companion-proposals-unmark)
    (define-key map "a" #'ide-companion-proposals-accept)
    (define-key map "k" #'ide-companion-proposals-reject)
    (define-key map "A" #'ide-companion-accept-all)
    (define-key map "K" #'ide-companion-reject-all)
    (define-key map "r" #'ide-companion-accept-rest)
    (define-key map "t" #'ide-companion-accept-ahead)
    (define-key map "T" #'ide-companion-stop-ahead)
    map)
  "Keys in the list of proposals.")

(define-derived-mode ide-companion-proposals-mode tabulated-list-mode "Proposals"
  "Proposals that wait for your decision."
  (setq tabulated-list-format [("" 1 nil) ("File" 24 t) ("Change" 9 nil) ("Agent" 12 t) ("" 0 nil)]
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (ide-companion--update-list)))
  (tabulated-list-init-header)
  (ide-companion--evil-list-keys ide-companion-proposals-mode-map))

(defconst ide-companion--list-name "*ide-companion proposals*")

(defvar-local ide-companion--marked nil "The marked proposals of this list.")

(defun ide-companion--change-size (proposal)
  "The number of added and of removed lines of PROPOSAL, for people."
  (let ((added 0) (removed 0))
    (pcase-dolist (`(,_ ,base-count ,_ ,count) (ide-companion--proposal-hunks proposal))
      (setq added (+ added count)
            removed (+ removed base-count)))
    (format "+%d -%d" added removed)))

(defun ide-companion--turns ()
  "What the program knows about each prompt, oldest first."
  (append (plist-get ide-companion--status :turns) nil))

(defun ide-companion--turn-of (proposal)
  "The turn that PROPOSAL belongs to, or nil when that is over."
  (and (not (ide-companion--proposal-orphan proposal))
       (car (ide-companion--filter
             (lambda (turn)
               (member (ide-companion--proposal-id proposal) (append (plist-get turn :waiting) nil)))
             (ide-companion--turns)))))

(defun ide-companion--place-in-turn (proposal)
  "Which change of its turn PROPOSAL is, for people, or nil."
  (let* ((turn (ide-companion--turn-of proposal))
         (waiting (append (plist-get turn :waiting) nil))
         (decided (or (plist-get turn :decided) 0)))
    (when turn
      (format "%d of %d%s"
              (+ decided 1 (- (length waiting)
                              (length (member (ide-companion--proposal-id proposal) waiting))))
              (+ decided (length waiting))
              (if (plist-get turn :ahead) " ahead" "")))))

(defun ide-companion--remarks (proposal)
  "Whatever else is worth knowing of PROPOSAL, for people."
  (let ((comments (length (ide-companion--proposal-comments proposal))))
    (string-join
     (delq nil `(,(ide-companion--place-in-turn proposal)
                 ,@(ide-companion--facts proposal)
                 ,(and (ide-companion--proposal-orphan proposal) "nobody waits")
                 ,(and (ide-companion--edited-p proposal) "edited")
                 ,(pcase comments
                    (0 nil)
                    (1 "1 comment")
                    (_ (format "%d comments" comments)))))
     ", ")))

(defun ide-companion--list-entry (proposal)
  "PROPOSAL as a line of the list."
  (list proposal (vector (if (memq proposal ide-companion--marked) "*" "")
                         (ide-companion--short (ide-companion--proposal-label proposal) 24)
                         (ide-companion--change-size proposal)
                         (ide-companion--proposal-agent proposal)
                         (ide-companion--remarks proposal))))

(defun ide-companion--update-list ()
  "Update the list of proposals, if there is one."
  (let ((buffer (get-buffer ide-companion--list-name)))
    (when buffer
      (with-current-buffer buffer
        (setq ide-companion--marked
              (ide-companion--filter (lambda (proposal) (memq proposal ide-companion--proposals))
                                     ide-companion--marked))
        (setq tabulated-list-entries (mapcar #'ide-companion--list-entry ide-companion--proposals))
        (tabulated-list-print t)))))

(add-hook 'ide-companion--proposals-hook #'ide-companion--update-list)
(add-hook 'ide-companion--status-hook #'ide-companion--update-list)

;;;###autoload
(defun ide-companion-proposals ()
  "List the proposals that wait for your decision.
In the list you go to them, mark, accept and reject them."
  (interactive)
  (if (null ide-companion--proposals)
      (ide-companion--nothing-here)
    (with-current-buffer (get-buffer-create ide-companion--list-name)
      (unless (derived-mode-p 'ide-companion-proposals-mode) (ide-companion-proposals-mode))
      (ide-companion--update-list))
    (ide-companion--pop-to-list ide-companion--list-name)
    (ide-companion--say "RET visits, m marks, a accepts, %s rejects, A, K all, r agent's, t turn's"
                        (if (bound-and-true-p evil-local-mode) "x" "k"))))

(defun ide-companion--listed ()
  "The proposal at point."
  (or (tabulated-list-get-id) (user-error "There is no proposal here")))

(defun ide-companion-proposals-visit ()
  "Go to the proposal at point."
  (interactive)
  (ide-companion--enter (ide-companion--listed)))

(defun ide-companion-proposals-mark ()
  "Mark the proposal at point, and go to the next line."
  (interactive)
  (let ((proposal (ide-companion--listed)))
    (unless (memq proposal ide-companion--marked)
      (push proposal ide-companion--marked)))
  (ide-companion--update-list)
  (forward-line))

(defun ide-companion-proposals-unmark ()
  "Unmark the proposal at point, and go to the next line."
  (interactive)
  (setq ide-companion--marked (delq (ide-companion--listed) ide-companion--marked))
  (ide-companion--update-list)
  (forward-line))

(defun ide-companion--chosen ()
  "The marked proposals, oldest first, or else the one at point."
  (if ide-companion--marked
      (ide-companion--filter (lambda (proposal) (memq proposal ide-companion--marked))
                             ide-companion--proposals)
    (list (ide-companion--listed))))

(defun ide-companion--what-counts (proposals)
  "What to name in a question about PROPOSALS: edits, and what would be lost."
  (let ((edited (ide-companion--filter #'ide-companion--edited-p proposals)))
    (concat (if edited (concat ", with your edits of "
                               (mapconcat #'ide-companion--proposal-label edited ", "))
              "")
            (mapconcat (lambda (proposal)
                         (format ", %s %s" (ide-companion--proposal-label proposal)
                                 (ide-companion--proposal-loss proposal)))
                       (ide-companion--filter #'ide-companion--proposal-loss proposals) ""))))

(defun ide-companion--decide-several (proposals method)
  "Send the user's decision about all of PROPOSALS by METHOD.
Ask first when there are several."
  (when (or (null (cdr proposals))
            (y-or-n-p (format "%s %d proposals%s? "
                          (if (eq method :companion/diffAccepted) "Accept" "Reject")
                          (length proposals) (ide-companion--what-counts proposals))))
    (dolist (proposal proposals)
      ;; One may have been decided elsewhere during the question.
      (when (memq proposal ide-companion--proposals)
        (ide-companion--decide proposal method)))))

(defun ide-companion--decide-all (method)
  "Send the user's decision by METHOD about every proposal that an agent waits for."
  (ide-companion--decide-several
   (or (ide-companion--filter (lambda (proposal) (not (ide-companion--proposal-orphan proposal)))
                              ide-companion--proposals)
       (user-error "No proposal waits for your decision"))
   method))

(defun ide-companion-proposals-accept ()
  "Accept the marked proposals, or else the one at point."
  (interactive)
  (ide-companion--decide-several (ide-companion--chosen) :companion/diffAccepted))

(defun ide-companion-proposals-reject ()
  "Reject the marked proposals, or else the one at point."
  (interactive)
  (ide-companion--decide-several (ide-companion--chosen) :companion/diffRejected))

(defun ide-companion-accept-all ()
  "Accept all proposals, with your edits, after one question."
  (interactive)
  (ide-companion--decide-all :companion/diffAccepted))

(defun ide-companion-reject-all ()
  "Reject all proposals after one question."
  (interactive)
  (ide-companion--decide-all :companion/diffRejected))

;;; The rest of an agent's, and of a turn

(defun ide-companion--proposal-meant ()
  "The proposal that a command is about.
It is the one at point in the list, that of this buffer, or else the
oldest."
  (or (and (derived-mode-p 'ide-companion-proposals-mode) (tabulated-list-get-id))
      ide-companion--proposal
      (car ide-companion--proposals)
      (user-error "No proposal waits for your decision")))

(defun ide-companion-accept-rest ()
  "Accept all that wait of one agent, with your edits, after one question."
  (interactive)
  (let ((agent (ide-companion--proposal-agent (ide-companion--proposal-meant))))
    (ide-companion--decide-several
     (ide-companion--filter (lambda (proposal)
                              (and (equal (ide-companion--proposal-agent proposal) agent)
                                   (not (ide-companion--proposal-orphan proposal))))
                            ide-companion--proposals)
     :companion/diffAccepted)))

(defun ide-companion-accept-ahead (stop-at)
  "Accept what an agent proposes until its turn ends, after a question.
Files that match STOP-AT, a list of patterns as in a `.gitignore',
wait for you all the same."
  (interactive
   (list (split-string (read-string "Files that wait for you all the same, such as *.lock (or none): "))))
  (let ((turn (or (ide-companion--turn-of (ide-companion--proposal-meant))
                  (user-error "The turn of this proposal is over"))))
    (when (y-or-n-p (format "Accept what %s proposes until its turn ends, %d now%s%s? "
                            (plist-get turn :agent) (length (plist-get turn :waiting))
                            (ide-companion--what-counts
                             (ide-companion--filter
                              (lambda (proposal) (eq turn (ide-companion--turn-of proposal)))
                              ide-companion--proposals))
                            (if stop-at (concat ", except for " (string-join stop-at " ")) "")))
      (ide-companion--fetch :companion/acceptRest
                            (list :turn (plist-get turn :id) :stopAt (vconcat stop-at)))
      (ide-companion--say "The rest of %s is accepted until M-x ide-companion-stop-ahead"
                          (plist-get turn :agent)))))

(defun ide-companion-stop-ahead ()
  "Decide yourself again about what is accepted ahead."
  (interactive)
  (let ((ahead (ide-companion--filter (lambda (turn) (plist-get turn :ahead)) (ide-companion--turns))))
    (unless ahead (user-error "Nothing is accepted ahead"))
    (dolist (turn ahead)
      (ide-companion--fetch :companion/stopAccepting (list :turn (plist-get turn :id))))
    (ide-companion--say "You decide about %s again"
                        (mapconcat (lambda (turn) (plist-get turn :agent)) ahead ", "))))

(provide 'ide-companion-list)
;;; ide-companion-list.el ends here
